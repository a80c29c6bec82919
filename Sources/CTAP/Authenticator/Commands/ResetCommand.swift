// SPDX-License-Identifier: Apache-2.0
import Primitives

/// `authenticatorReset` (CTAP 2.1 section 6.6).
///
/// It destroys everything except attestation. It requires a recent power-up, and a touch whose
/// prompt names the consequence.
struct ResetCommand: GestureCommand {
    func begin(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        if let window = machine.configuration.resetWindow,
            machine.now - machine.session.poweredUp > window
        {
            throw .notAllowed
        }
        return .gesture(.confirm(.reset(longTouch: machine.state.longTouchForReset)))
    }

    func resume(
        after result: GestureResult, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        try result.requirePresence()
        let newState = machine.state.afterReset(random: machine.random)
        try machine.commit { $0 = newState }
        machine.resetSession()
        return .finished([])
    }
}
