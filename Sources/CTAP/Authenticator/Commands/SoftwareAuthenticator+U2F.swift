// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import WebAuthn

/// CTAP1: U2F raw messages (U2F Raw Message Formats v1.2).
extension SoftwareAuthenticator {
    /// The response APDU, status word included, to a command APDU.
    ///
    /// Presence is asked for while the client waits, as with CTAP2; when there is none the answer
    /// is 6985, and the client asks again.
    package func respond(toMessage apdu: [UInt8]) async -> [UInt8] {
        await exclusively(
            { key in await key.response(to: apdu).bytes }, whenBusy: Self.unable.bytes)
    }

    private static let unable = ResponseAPDU(status: .conditionsNotSatisfied)

    private func response(to bytes: [UInt8]) async -> ResponseAPDU {
        guard configuration.speaksU2F else { return ResponseAPDU(status: .instructionNotSupported) }
        guard let apdu = CommandAPDU(bytes) else { return ResponseAPDU(status: .wrongLength) }
        do throws(U2FRefusal) {
            switch try U2FRequest(apdu) {
            case .version: return ResponseAPDU(data: Array("U2F_V2".utf8), status: .ok)
            case .register(let challenge, let application):
                return try await register(challenge, application)
            case .authenticate(let control, let challenge, let application, let keyHandle):
                return try await authenticate(control, challenge, application, keyHandle)
            }
        } catch { return ResponseAPDU(status: error.status) }
    }

    /// A key that always verifies cannot do so over U2F (CTAP 2.1 section 7.2.4).
    private func touch(_ operation: GesturePrompt.Operation) async throws(U2FRefusal) {
        guard !state.alwaysVerifies else { throw U2FRefusal(.conditionsNotSatisfied) }
        do { try await confirmPresence(operation) } catch {
            throw U2FRefusal(.conditionsNotSatisfied)
        }
    }

    // MARK: Registration (section 4.3)

    /// Each registration has an attestation certificate of its own, so that none of them leads to
    /// another.
    private func register(
        _ challenge: [UInt8], _ application: [UInt8]
    ) async throws(U2FRefusal) -> ResponseAPDU {
        try await touch(.register(application: application))
        guard let key = CredentialPrivateKey(.es256, random: random),
            let point = key.uncompressedPoint,
            let identity = AttestationIdentity(model: nil, now: clock.now, random: random)
        else { throw U2FRefusal(.unknown) }
        var credential = AuthenticatorCredential(id: [], rpIdHash: application, key: key)
        do {
            credential.id =
                try wrapping
                .id(for: credential, random: random)
        } catch { throw U2FRefusal(.unknown) }
        let message = [0] + application + challenge + credential.id + point
        guard let signature = try? identity.key.signature(for: message) else {
            throw U2FRefusal(.unknown)
        }
        return ResponseAPDU(
            data: [5] + point + [UInt8(clamping: credential.id.count)] + credential.id
                + identity.certificate + signature.derRepresentation,
            status: .ok)
    }

    // MARK: Authentication (section 5.4)

    private func authenticate(
        _ control: U2FRequest.Control, _ challenge: [UInt8], _ application: [UInt8],
        _ keyHandle: [UInt8]
    ) async throws(U2FRefusal) -> ResponseAPDU {
        let found = credential(
            CTAPCredentialDescriptor(id: keyHandle), rpIdHash: application)
        guard let found, case .es256 = found.key, found.protection < .userVerificationRequired
        else { throw U2FRefusal(.wrongData) }
        if control == .checkOnly { throw U2FRefusal(.conditionsNotSatisfied) }
        let presence: UInt8 = control == .enforcePresenceAndSign ? 1 : 0
        if presence == 1 { try await touch(.authenticate(application: application)) }
        guard !state.alwaysVerifies, let count = try? nextSignCount() else {
            throw U2FRefusal(.conditionsNotSatisfied)
        }
        let counter = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
        let data = application + [presence] + counter
        let (_, message) = configuration.misbehaviour.spoilt(data, clientDataHash: challenge)
        guard let signature = try? found.key.sign(message, by: nil) else {
            throw U2FRefusal(.unknown)
        }
        return ResponseAPDU(data: [presence] + counter + signature, status: .ok)
    }
}
