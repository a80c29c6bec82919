// SPDX-License-Identifier: Apache-2.0
import JOSE

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How an installation asks to be registered: by which method, and with what evidence.
public struct RegistrationRequest: Sendable {
    /// The method.
    public let method: RegistrationMethod
    let evidence: @Sendable (RegistrationChallenge) async throws -> RegistrationEvidence

    /// With evidence that the app makes itself, once the provider's challenge is known.
    public static func evidence(
        _ method: RegistrationMethod,
        _ make: @escaping @Sendable (RegistrationChallenge) async throws -> RegistrationEvidence
    ) -> RegistrationRequest {
        RegistrationRequest(method: method, evidence: make)
    }

    /// With a credential from elsewhere: a token that a registered issuer or a test key has signed.
    public static func credential(_ provider: any CredentialProvider) -> RegistrationRequest {
        RegistrationRequest(method: provider.method) { challenge in
            let request = CredentialRequest(purpose: .registration(challenge))
            return .token(try await provider.credential(for: request).token)
        }
    }

    /// With what the device's maker says about it.
    public static func attested(by attestor: any DeviceAttestor) -> RegistrationRequest {
        RegistrationRequest(method: attestor.method) { try await attestor.evidence(for: $0) }
    }
}

/// What the provider has the evidence bound to.
public struct RegistrationChallenge: Sendable, Hashable {
    /// The method that it was given out for.
    public let method: RegistrationMethod
    /// To be used once, as the letters that it is.
    public let nonce: String
    /// `aud` of what is signed for it.
    public let audience: String
    /// 32 bytes that tie evidence to this moment and to the key that is being registered. An
    /// attestation carries them as its challenge.
    public let binding: [UInt8]
}

/// What a method asks for, as JSON.
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

/// Who has the device's maker say something about it: App Attest, DeviceCheck, Play Integrity,
/// Android key attestation.
///
/// The evidence goes to the provider, which judges it. An attestor on this side judges nothing.
public protocol DeviceAttestor: Sendable {
    /// The method that its evidence is for.
    var method: RegistrationMethod { get }

    /// - Throws: Whatever the system says when it cannot; the app sees
    ///   ``IdentityError/Code/attestationFailed``.
    func evidence(for challenge: RegistrationChallenge) async throws -> RegistrationEvidence

    /// What the maker says when somebody signs in who registered so: over what the installation's
    /// key has signed, by a key of the maker's. Only App Attest has such a thing.
    ///
    /// - Parameters:
    ///   - message: What the installation's key signs at this sign-in.
    ///   - keyID: The `key_id` of the evidence.
    /// - Returns: `nil` when it says nothing.
    /// - Throws: Whatever the system says when it cannot. The sign-in goes on without, where the
    ///   project allows that.
    func assertion(over message: [UInt8], by keyID: String) async throws -> [UInt8]?
}

extension DeviceAttestor {
    /// Nothing.
    public func assertion(over message: [UInt8], by keyID: String) async throws -> [UInt8]? { nil }
}

/// What was registered.
public struct Registration: Sendable {
    /// Who.
    public let profile: Profile
    /// `false` when the person had a profile here already, which is used again.
    public let isNewProfile: Bool
    /// The method by which.
    public let method: RegistrationMethod
    /// What the registration goes by: asked for again with it, the same comes back.
    public let idempotencyKey: UUID
}

/// A registration whose end is not known: the app was ended, or no answer came.
public struct PendingRegistration: Sendable, Hashable {
    /// Register with it again to bring it to its end.
    public let idempotencyKey: UUID
    /// The method by which.
    public let method: RegistrationMethod
}
