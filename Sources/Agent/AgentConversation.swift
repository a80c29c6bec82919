// SPDX-License-Identifier: Apache-2.0
package import AgentClient

/// The person at a terminal or a window who waits for the agent.
package protocol AgentConversation: Sendable {
    /// Asks, and waits for the answer; pages are shown and answer nothing.
    ///
    /// - Throws: ``PresentationError/cancelled`` when the person gives up or has gone.
    func ask(_ question: AgentPrompt) async throws -> String

    /// Says what is going on.
    func report(_ step: AgentStep) async

    /// Whether they have a browser on this machine.
    var hasBrowser: Bool { get async }

    /// Returns when the person has gone, or the task is cancelled.
    func end() async
}
