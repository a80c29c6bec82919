// SPDX-License-Identifier: Apache-2.0
package import JOSE
import OAuth
package import Primitives

/// The device's keys from its view: the public keys suffice to write messages.
package struct DeviceIdentity: Sendable {
    package var signing: PublicJWK
    package var encryption: PublicJWK
    /// The certificates that the extension saved with `saveCertificate`, in DER; usually empty.
    package var certificates: [[UInt8]]

    package init(signing: PublicJWK, encryption: PublicJWK, certificates: [[UInt8]] = []) {
        self.signing = signing
        self.encryption = encryption
        self.certificates = certificates
    }
}

/// The parameters of a device's request. One context is one request with its nonces; it also
/// determines the encryption of the response.
package struct LoginRequestContext: Sendable {
    package let configuration: LoginConfiguration
    package let user: UserLoginConfiguration
    package let device: DeviceIdentity
    /// The response of the nonce endpoint.
    package let serverNonce: String
    /// The device's nonce, which the ID token must return.
    package let nonce: String
    package let now: Timestamp
    /// The purpose of the login; part of the scope if the configuration requires it, and in every
    /// web login.
    package var purpose = AuthorizationScope.login
    /// Whether the request belongs to an authorization prompt.
    package var isAuthorization = false

    package init(
        configuration: LoginConfiguration, user: UserLoginConfiguration, device: DeviceIdentity,
        serverNonce: String, now: Timestamp, random: some RandomSource
    ) {
        self.configuration = configuration
        self.user = user
        self.device = device
        self.serverNonce = serverNonce
        self.now = now
        nonce = ClientNonce.make(random)
    }

    package static let lifetime = TimeSpan.minutes(5)

    /// The `apv` that the provider must use and that decrypts the response with ``SealedResponse``.
    package var apv: [UInt8] {
        PartyInfo.recipient(deviceEncryption: device.encryption, nonce: nonce).bytes
    }

    // MARK: Parts of messages

    /// - Parameter isWebLogin: Whether it is a web login, which always contains its purpose.
    func scope(isWebLogin: Bool = false) -> String {
        let isNamed = isWebLogin || configuration.includePlatformSSOAuthorizationScopes
        return configuration.scope(
            purpose: isNamed ? purpose : nil, isAuthorization: isAuthorization
        ).text
    }

    var responseEncryption: JSONValue {
        ["alg": "ECDH-ES", "enc": "A256GCM", "apv": .string(Base64URL.encode(apv))]
    }

    /// The times and nonces of every message.
    var commonClaims: JSONObject {
        JSONObject([
            .init(name: "iat", value: .integer(now.seconds)),
            .init(name: "exp", value: .integer((now + Self.lifetime).seconds)),
            .init(name: "nonce", value: .string(nonce)),
            .init(name: configuration.serverNonceClaimName, value: .string(serverNonce)),
        ])
    }

    func draft(
        _ type: MessageType, key: PublicJWK, certificates: [[UInt8]], custom: CustomClaims,
        _ claims: [JSONObject.Member]
    ) throws(JOSEError) -> RequestDraft {
        guard let algorithm = Self.algorithm(of: key) else {
            throw JOSEError(.keyMismatch, "no algorithm here signs with such a key")
        }
        var header = JSONObject([
            .init(name: "typ", value: .string(type.rawValue)),
            .init(name: "alg", value: .string(algorithm.rawValue)),
            .init(name: "kid", value: .string(KeyIdentifier(key).description)),
        ])
        if let chain = CertificateChain.member(certificates) { header[chain.name] = chain.value }
        header.add(custom.header)
        var body = JSONObject(claims + commonClaims.members)
        body.add(custom.body)
        return RequestDraft(header: header, claims: body)
    }

    /// Returns the algorithm of the key, otherwise the usual one of its kind.
    private static func algorithm(of key: PublicJWK) -> JWSAlgorithm? {
        if let named = key.parameters.algorithm { return JWSAlgorithm(exactly: named) }
        return switch key.material {
        case .ellipticCurve(.p256, _, _): .es256
        case .ellipticCurve(.p384, _, _): .es384
        case .octetKeyPair(.ed25519, _): .edDSA
        case .rsa: .rs256
        default: nil
        }
    }
}

/// The device's nonce: a random UUID in capitals (RFC 9562 section 5.4).
package enum ClientNonce {
    package static func make(_ random: some RandomSource) -> String {
        UUIDText.encode(UUIDText.marked(random.bytes(16), version: 4), .upper)
    }
}
