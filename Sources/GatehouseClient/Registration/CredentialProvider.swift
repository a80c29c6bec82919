// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives

/// A source of credentials for the app's people, usually the app's own service.
public protocol CredentialProvider: Sendable {
    /// `signedJWT`, unless it is something special.
    var method: RegistrationMethod { get }

    /// Returns a credential for one use. Request one from the service each time: the provider
    /// consumes credentials.
    func credential(for request: CredentialRequest) async throws -> ExternalCredential
}

extension CredentialProvider {
    /// The method that its evidence or credential is for.
    public var method: RegistrationMethod { .signedJWT }
}

/// The purpose of a credential.
public struct CredentialRequest: Sendable {
    /// See ``purpose-swift.property``.
    public enum Purpose: Sendable {
        /// A registration.
        case registration(RegistrationChallenge)
        /// A sign-in.
        case signIn
    }

    /// The operation that needs the credential.
    public let purpose: Purpose
}

/// A credential: a JWT that an issuer has signed whose key an administrator has registered.
public struct ExternalCredential: Sendable {
    /// The compact JWS.
    public var token: String

    /// Used once.
    public init(token: String) { self.token = token }
}

/// Credentials that a registered issuer has signed ("custom federated sign-in", "FSSO").
public struct SignedJWTCredentialProvider: CredentialProvider {
    private let make: @Sendable () async throws -> String

    /// Creates a provider with a function of the app that requests a token from its service. Only
    /// the service should have the issuer's key.
    public init(token: @escaping @Sendable () async throws -> String) { make = token }

    /// Creates credentials on this device. Each copy of the app contains the key: for development,
    /// and for servers that are apps.
    ///
    /// - Parameters:
    ///   - issuer: `iss`, as registered.
    ///   - keyID: `kid`, as registered.
    ///   - privateKeyPEM: P-256 (ES256) or RSA (RS256), PKCS #1, PKCS #8 or SEC 1, any line ends.
    ///   - subject: The person's username within that issuer.
    ///   - audience: The registered audience.
    ///   - attributes: Additional claims. Registered claims (RFC 7519 section 4.1) are ignored, so
    ///     that their meaning cannot change.
    ///   - lifetime: An hour at most.
    ///   - time: The system's clock, but in tests.
    /// - Throws: ``IdentityError/Code/configurationInvalid`` when the key cannot be used.
    public init(
        issuer: String, keyID: String, privateKeyPEM: String, subject: String,
        audience: String = "identity-service", attributes: [String: String] = [:],
        lifetime: Duration = .seconds(300), time: any TimeSource = SystemTime()
    ) throws {
        let maker = try IssuedTokenMaker(
            issuer: issuer, audience: audience, keyID: keyID, privateKeyPEM: privateKeyPEM,
            lifetime: lifetime, time: time)
        make = { try maker.token(for: subject, attributes: attributes) }
    }

    /// A fresh credential; see ``CredentialProvider``.
    public func credential(for request: CredentialRequest) async throws -> ExternalCredential {
        ExternalCredential(token: try await make())
    }
}

/// Signs what an issuer says.
package struct IssuedTokenMaker: Sendable {
    private let issuer: String
    private let audience: String
    private let signer: JOSESigner
    private let lifetime: Int64
    private let time: any TimeSource

    /// - Throws: ``IdentityError/Code/configurationInvalid``.
    package init(
        issuer: String, audience: String, keyID: String, privateKeyPEM: String,
        lifetime: Duration, time: any TimeSource
    ) throws {
        self.issuer = issuer
        self.audience = audience
        self.time = time
        self.lifetime = min(max(TimeSpan(lifetime).seconds, 1), IssuedToken.maximumLifetime)
        do {
            let key = try PrivateJWK(pem: Secret(privateKeyPEM)).with(KeyParameters(keyID: keyID))
            let algorithm: JWSAlgorithm =
                if case .rsa = key.publicKey.material { .rs256 } else { .es256 }
            signer = try JOSESigner(key, algorithm: algorithm)
        } catch {
            throw IdentityError(
                .generic, .configurationInvalid,
                "the issuer's private key cannot be used: \(error)",
                underlying: error)
        }
    }

    package func token(for subject: String, attributes: [String: String]) throws -> String {
        let now = Timestamp(time.now).seconds
        let members = attributes.sorted { $0.key < $1.key }.map {
            JSONObject.Member(name: $0.key, value: .string($0.value))
        }
        let token = IssuedToken(
            issuer: issuer, audience: audience, subject: subject,
            tokenID: Base64URL.encode(SystemRandomSource().bytes(16)), issuedAt: now,
            expiresAt: now + lifetime, attributes: JSONObject(members))
        do { return try token.signed(by: signer) } catch {
            throw IdentityError(
                .generic, .configurationInvalid, "the issuer's key does not sign: \(error)",
                underlying: error)
        }
    }
}
