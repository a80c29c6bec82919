// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import Testing

extension ProviderStore {
    /// Inserts new people with that group.
    func addMembers(
        _ numbers: ClosedRange<Int>, of group: String, in project: Project
    ) async throws {
        for number in numbers {
            var person = Person(
                id: Identifier(now: project.createdAt, random: SystemRandomSource()),
                project: project.id, username: "member-\(number)", createdAt: project.createdAt)
            person.claims.groups = [group]
            let outcome = try await people.create(person, with: [])
            #expect(outcome == .created)
        }
    }
}
