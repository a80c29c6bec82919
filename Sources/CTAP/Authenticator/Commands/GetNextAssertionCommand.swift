// SPDX-License-Identifier: Apache-2.0
import Primitives

/// `authenticatorGetNextAssertion` (CTAP 2.1 section 6.3).
struct GetNextAssertionCommand {
    func run(_ machine: inout AuthenticatorMachine) throws(CTAPStatus) -> GetAssertionResponse {
        guard var pending = machine.session.assertions, machine.now < pending.deadline,
            !pending.remaining.isEmpty
        else {
            machine.session.assertions = nil
            throw .notAllowed
        }
        let credential = pending.remaining.removeFirst()
        pending.deadline = machine.now + .seconds(30)
        machine.session.assertions = pending
        let secrets = try SaltedSecrets(
            pending.request, isPresent: pending.flags.present, machine)
        return try AssertionWriter(
            request: pending.request, credential: credential, flags: pending.flags,
            secrets: secrets, showsAccount: pending.flags.verified
        ).write(&machine)
    }
}
