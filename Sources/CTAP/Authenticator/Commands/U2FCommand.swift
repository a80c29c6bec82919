// SPDX-License-Identifier: Apache-2.0
import Crypto
import WebAuthn

/// A CTAP1 command (U2F Raw Message Formats v1.2). Its responses are APDUs with a status word, and
/// it throws no CTAP2 status.
struct U2FCommand: GestureCommand {
    private enum Phase {
        case begin
        case registration(challenge: [UInt8], application: [UInt8])
        case authentication(U2FSignature)
    }

    private let apdu: [UInt8]
    private var phase = Phase.begin

    init(_ apdu: [UInt8]) { self.apdu = apdu }

    mutating func begin(_ machine: inout AuthenticatorMachine) -> CommandProgress<[UInt8]> {
        guard machine.configuration.speaksU2F else {
            return Self.finished(.instructionNotSupported)
        }
        guard let command = CommandAPDU(apdu) else { return Self.finished(.wrongLength) }
        do throws(U2FRefusal) {
            switch try U2FRequest(command) {
            case .version:
                return .finished(ResponseAPDU(data: Array("U2F_V2".utf8), status: .ok).bytes)
            case .register(let challenge, let application):
                phase = .registration(challenge: challenge, application: application)
                return try Self.touch(.register(application: application), machine)
            case .authenticate(let control, let challenge, let application, let keyHandle):
                return try authenticate(control, challenge, application, keyHandle, &machine)
            }
        } catch { return Self.finished(error.status) }
    }

    func resume(
        after result: GestureResult, _ machine: inout AuthenticatorMachine
    ) -> CommandProgress<[UInt8]> {
        guard (try? result.requirePresence()) != nil else {
            return Self.finished(.conditionsNotSatisfied)
        }
        do throws(U2FRefusal) {
            switch phase {
            case .begin: throw U2FRefusal(.unknown)
            case .registration(let challenge, let application):
                return .finished(try Self.register(challenge, application, &machine).bytes)
            case .authentication(let signature):
                return .finished(try signature.sign(&machine).bytes)
            }
        } catch { return Self.finished(error.status) }
    }

    private static func finished(_ status: StatusWord) -> CommandProgress<[UInt8]> {
        .finished(ResponseAPDU(status: status).bytes)
    }

    /// Returns the request for a touch. A key that always verifies the user refuses, because U2F
    /// has no verification (CTAP 2.1 section 7.2.4).
    private static func touch(
        _ operation: GesturePrompt.Operation, _ machine: AuthenticatorMachine
    ) throws(U2FRefusal) -> CommandProgress<[UInt8]> {
        guard !machine.state.alwaysVerifies else { throw U2FRefusal(.conditionsNotSatisfied) }
        return .gesture(.confirm(operation))
    }

    // MARK: Registration (section 4.3)

    /// Creates a credential. Each registration has another attestation certificate, so that a
    /// relying party cannot correlate registrations.
    private static func register(
        _ challenge: [UInt8], _ application: [UInt8], _ machine: inout AuthenticatorMachine
    ) throws(U2FRefusal) -> ResponseAPDU {
        guard let key = CredentialPrivateKey(.es256, random: machine.random),
            let point = key.uncompressedPoint,
            let identity = AttestationIdentity(
                model: nil, now: machine.now, random: machine.random)
        else { throw U2FRefusal(.unknown) }
        var credential = AuthenticatorCredential(id: [], rpIdHash: application, key: key)
        do {
            credential.id = try machine.wrapping.id(for: credential, random: machine.random)
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

    private mutating func authenticate(
        _ control: U2FRequest.Control, _ challenge: [UInt8], _ application: [UInt8],
        _ keyHandle: [UInt8], _ machine: inout AuthenticatorMachine
    ) throws(U2FRefusal) -> CommandProgress<[UInt8]> {
        let found = machine.credential(
            CTAPCredentialDescriptor(id: keyHandle), rpIdHash: application)
        guard let found, case .es256 = found.key, found.protection < .userVerificationRequired
        else { throw U2FRefusal(.wrongData) }
        if control == .checkOnly { throw U2FRefusal(.conditionsNotSatisfied) }
        let isPresent = control == .enforcePresenceAndSign
        let signature = U2FSignature(
            challenge: challenge, application: application, key: found.key, isPresent: isPresent)
        guard isPresent else { return .finished(try signature.sign(&machine).bytes) }
        phase = .authentication(signature)
        return try Self.touch(.authenticate(application: application), machine)
    }
}
