// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// A person who is disabled does not change their own claims.
struct PersonDisabled: Error, Equatable {}

extension PersonStore {
    /// Changes what a person says of themselves, and nothing else of them.
    func change(
        ofOneself person: Identifier<Person>, now: Timestamp,
        _ edit: @escaping @Sendable (inout PersonClaims) -> Void
    ) async throws -> RecordEdit<Person, PersonDisabled> {
        try await change(person: person, now: now) { person in
            guard !person.disabled else { return PersonDisabled() }
            person.claims.edit(at: now, edit)
            return nil
        }
    }
}

extension PersonClaims {
    /// Where the edit changes something, `updated_at` says when.
    mutating func edit(at now: Timestamp, _ edit: (inout PersonClaims) -> Void) {
        let before = self
        edit(&self)
        if self != before { updatedAt = now.seconds }
    }
}
