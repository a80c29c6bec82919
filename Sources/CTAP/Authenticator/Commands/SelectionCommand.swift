// SPDX-License-Identifier: Apache-2.0

/// `authenticatorSelection` (CTAP 2.1 section 6.9).
struct SelectionCommand: GestureCommand {
    func begin(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> { .gesture(.confirm(.select)) }

    func resume(
        after result: GestureResult, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        try result.requirePresence()
        return .finished([])
    }
}
