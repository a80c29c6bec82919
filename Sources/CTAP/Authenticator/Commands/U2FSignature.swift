// SPDX-License-Identifier: Apache-2.0

/// The signature of a U2F authentication (U2F Raw Message Formats v1.2 section 5.4).
struct U2FSignature {
    let challenge: [UInt8]
    let application: [UInt8]
    let key: CredentialPrivateKey
    /// Whether the person touched the key.
    let isPresent: Bool

    func sign(_ machine: inout AuthenticatorMachine) throws(U2FRefusal) -> ResponseAPDU {
        guard !machine.state.alwaysVerifies, let count = try? machine.nextSignCount() else {
            throw U2FRefusal(.conditionsNotSatisfied)
        }
        let presence: UInt8 = isPresent ? 1 : 0
        let counter = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
        let (_, message) = machine.configuration.misbehaviour.corrupted(
            application + [presence] + counter, clientDataHash: challenge)
        guard let signature = try? key.sign(message, by: nil) else { throw U2FRefusal(.unknown) }
        return ResponseAPDU(data: [presence] + counter + signature, status: .ok)
    }
}
