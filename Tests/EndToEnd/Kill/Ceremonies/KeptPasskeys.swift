// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import Primitives
import Support
import Synchronization

/// Passkeys as a system keeps them: they outlive whatever becomes of the app and its provider.
final class KeptPasskeys: PasskeyAuthenticator {
    private struct Kept {
        let passkey: SoftwarePasskey
        let userID: [UInt8]
    }

    private let origin: String
    private let kept = Mutex<[Kept]>([])

    /// - Parameter origin: On whose behalf the app acts.
    init(origin: String) { self.origin = origin }

    var isAvailable: Bool { true }

    /// Behaves as an authenticator: it creates no second passkey if one is excluded, and replaces
    /// one that is unknown to the provider.
    func makePasskey(_ request: PasskeyCreationOptions) async throws -> NewPasskey {
        guard !kept.withLock({ $0.contains { request.excluded.contains($0.passkey.credentialID) } })
        else { throw UserVerificationError.invalidated }
        let passkey = try SoftwarePasskey(
            origin: origin, relyingPartyID: request.relyingParty, random: SystemRandomSource())
        kept.withLock { kept in
            kept.removeAll { $0.userID == request.userID }
            kept.append(Kept(passkey: passkey, userID: request.userID))
        }
        let made = try Self.answer(
            passkey.registration(challenge: Base64URL.encode(request.challenge)))
        return NewPasskey(
            credentialID: passkey.credentialID, clientDataJSON: try made("clientDataJSON"),
            attestationObject: try made("attestationObject"))
    }

    func signature(for request: PasskeyAssertionOptions) async throws -> PasskeySignature {
        let found = kept.withLock { kept in
            kept.last {
                request.allowed.isEmpty || request.allowed.contains($0.passkey.credentialID)
            }
        }
        guard let found else { throw UserVerificationError.invalidated }
        let signed = try Self.answer(
            found.passkey.assertion(
                challenge: Base64URL.encode(request.challenge), userHandle: found.userID))
        return PasskeySignature(
            credentialID: found.passkey.credentialID, clientDataJSON: try signed("clientDataJSON"),
            authenticatorData: try signed("authenticatorData"),
            signature: try signed("signature"), userID: found.userID)
    }

    /// The bytes of a member of `response`.
    private static func answer(_ text: String) throws -> (_ name: String) throws -> [UInt8] {
        let response = try JSON(parsing: Array(text.utf8))["response"]
        return { name in
            guard let bytes = response[name].string.flatMap({ Base64URL.decode($0) }) else {
                throw HarnessError("no \(name) in \(text)")
            }
            return bytes
        }
    }
}
