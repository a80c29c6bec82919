// SPDX-License-Identifier: Apache-2.0

/// A command that can require gestures. It runs to its response or to a gesture, and continues
/// with the gesture's result.
///
/// The response is CBOR without the status byte; that of U2F is a response APDU.
protocol GestureCommand {
    /// Runs the command to its response or its first gesture.
    mutating func begin(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]>

    /// Continues the command after a gesture.
    mutating func resume(
        after result: GestureResult, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]>
}

extension GestureCommand {
    /// Begins the command if `result` is `nil`, else resumes it.
    mutating func run(
        after result: GestureResult?, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        guard let result else { return try begin(&machine) }
        return try resume(after: result, &machine)
    }
}
