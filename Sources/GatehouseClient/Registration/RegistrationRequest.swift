// SPDX-License-Identifier: Apache-2.0
import JOSE

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A registration method with its evidence.
public struct RegistrationRequest: Sendable {
    /// The method.
    public let method: RegistrationMethod
    let evidence: @Sendable (RegistrationChallenge) async throws -> RegistrationEvidence

    /// Creates a request with evidence that the app creates for the provider's challenge.
    public static func evidence(
        _ method: RegistrationMethod,
        _ make: @escaping @Sendable (RegistrationChallenge) async throws -> RegistrationEvidence
    ) -> RegistrationRequest {
        RegistrationRequest(method: method, evidence: make)
    }

    /// Creates a request with an external credential: a token that a registered issuer or a test
    /// key has signed.
    public static func credential(_ provider: any CredentialProvider) -> RegistrationRequest {
        RegistrationRequest(method: provider.method) { challenge in
            let request = CredentialRequest(purpose: .registration(challenge))
            return .token(try await provider.credential(for: request).token)
        }
    }

    /// Creates a request with an attestation of the device's manufacturer.
    public static func attested(by attestor: any DeviceAttestor) -> RegistrationRequest {
        RegistrationRequest(method: attestor.method) { try await attestor.evidence(for: $0) }
    }
}

/// The values that evidence is bound to.
public struct RegistrationChallenge: Sendable, Hashable {
    /// The method that it was given out for.
    public let method: RegistrationMethod
    /// A single-use value. Send it unchanged.
    public let nonce: String
    /// `aud` of what is signed for it.
    public let audience: String
    /// 32 bytes that tie evidence to this moment and to the key that is being registered. An
    /// attestation carries them as its challenge.
    public let binding: [UInt8]
}

/// The evidence of a method, as JSON.
public struct RegistrationEvidence: Sendable {
    let object: JSONObject

    /// The name of the key that App Attest has attested; `nil` in other evidence.
    var attestedKey: String? {
        object["attestation"] == nil ? nil : object["key_id"]?.string
    }

    /// `{"token": …}`.
    public static func token(_ token: String) -> RegistrationEvidence {
        RegistrationEvidence(["token": token])
    }

    /// Members that are text.
    public init(_ members: [String: String]) {
        object = JSONObject(
            members.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) }
        )
    }

    /// A JSON object, as its bytes.
    ///
    /// - Throws: ``IdentityError/Code/requestInvalid`` for anything else.
    public init(json: Data) throws {
        do {
            object = try JSONParser.parseObject(Array(json), maximumBytes: 65_536)
        } catch {
            throw IdentityError(
                .registration, .requestInvalid, "the evidence is not a JSON object",
                underlying: error)
        }
    }
}

/// Supplies attestations of the device's manufacturer: App Attest, DeviceCheck, Play Integrity,
/// Android key attestation.
///
/// The provider verifies the evidence. An attestor does not.
public protocol DeviceAttestor: Sendable {
    /// The method that its evidence is for.
    var method: RegistrationMethod { get }

    /// - Throws: The error of the system. The app receives
    ///   ``IdentityError/Code/attestationFailed``.
    func evidence(for challenge: RegistrationChallenge) async throws -> RegistrationEvidence

    /// Returns an assertion for the sign-in of an installation that has registered with this
    /// attestor: over the data that the installation's key has signed, by a key of the
    /// manufacturer. Only App Attest has assertions.
    ///
    /// - Parameters:
    ///   - message: The data that the installation's key signs in this sign-in.
    ///   - keyID: The `key_id` of the evidence.
    /// - Returns: `nil` when it says nothing.
    /// - Throws: The error of the system. The sign-in continues without an assertion, if the
    ///   project allows that.
    func assertion(over message: [UInt8], by keyID: String) async throws -> [UInt8]?
}

extension DeviceAttestor {
    /// Returns `nil`.
    public func assertion(over message: [UInt8], by keyID: String) async throws -> [UInt8]? { nil }
}

/// The result of a registration.
public struct Registration: Sendable {
    /// The person.
    public let profile: Profile
    /// `false` when the person had a profile here already, which is used again.
    public let isNewProfile: Bool
    /// The method by which.
    public let method: RegistrationMethod
    /// The idempotency key. A repetition with it returns the same result.
    public let idempotencyKey: UUID
}

/// A registration whose end is not known: the app was ended, or no answer came.
public struct PendingRegistration: Sendable, Hashable {
    /// Register with it again to bring it to its end.
    public let idempotencyKey: UUID
    /// The method by which.
    public let method: RegistrationMethod
}
