// SPDX-License-Identifier: Apache-2.0
import AgentClient

/// The conversations of people who wait for the agent, one for each account.
@AgentActor
final class Conversations {
    private var active: [String: any AgentConversation] = [:]

    var isEmpty: Bool { active.isEmpty }

    subscript(person: String) -> (any AgentConversation)? { active[person] }

    /// Runs `body` with the conversation as that of the person.
    ///
    /// - Throws: ``AgentRefusal`` while the person has another conversation.
    func attend(
        _ person: String, _ conversation: any AgentConversation, _ body: () async throws -> Void
    ) async throws {
        guard active[person] == nil else { throw AgentRefusal.declined(.underWay) }
        active[person] = conversation
        defer { active[person] = nil }
        try await body()
    }
}
