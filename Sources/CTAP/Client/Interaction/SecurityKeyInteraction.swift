// SPDX-License-Identifier: Apache-2.0

/// How a person takes part: a terminal, a window, or a test.
///
/// The client shows something whenever it waits for a person. What relying parties and keys say
/// of themselves comes without control characters and direction marks, cut to a bearable length.
/// When the task of a question is cancelled, because its time is over or another key was touched,
/// the answer is `nil`, and comes soon.
package protocol SecurityKeyInteraction: Sendable {
    /// Something to do or to know; there is no answer.
    func show(_ prompt: SecurityKeyPrompt) async
    /// The PIN of a key, or `nil` when the person gives up.
    func enterPIN(_ request: PINRequest) async -> String?
    /// A PIN for a key that has none or must have another, or `nil` when the person gives up.
    func choosePIN(_ request: NewPINRequest) async -> String?
    /// Which of several accounts to sign in with, or `nil` when the person gives up.
    func chooseAccount(_ accounts: [SecurityKeyAccount]) async -> SecurityKeyAccount?
    /// The operation is over, well or not: take the prompts away.
    func finished() async
}
