// SPDX-License-Identifier: Apache-2.0

/// The interaction with a person: a terminal, a window, or a test.
///
/// The client displays a prompt whenever it waits for a person. Texts of relying parties and keys
/// are free of control characters and direction marks, and truncated. Return `nil` promptly if the
/// task is cancelled. The client cancels it after a timeout, or if another key is touched.
package protocol SecurityKeyInteraction: Sendable {
    /// Displays a prompt that requires no input.
    func show(_ prompt: SecurityKeyPrompt) async
    /// Prompts for the PIN of a key; `nil` if the person cancels.
    func enterPIN(_ request: PINPrompt) async -> String?
    /// Prompts for a new PIN; `nil` if the person cancels.
    func choosePIN(_ request: NewPINPrompt) async -> String?
    /// Prompts for one of several accounts; `nil` if the person cancels.
    func chooseAccount(_ accounts: [SecurityKeyAccount]) async -> SecurityKeyAccount?
    /// Removes the prompts after the operation ended, with or without success.
    func finished() async
}
