// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// The refusal of a change of claims by a disabled person.
package struct PersonDisabled: Error, Equatable {}

extension PersonStore {
    /// Changes the claims of a person at their own request.
    package func change(
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
    /// Applies the edit. Sets `updated_at` if it changes a claim.
    mutating func edit(at now: Timestamp, _ edit: (inout PersonClaims) -> Void) {
        let before = self
        edit(&self)
        if self != before { updatedAt = now.seconds }
    }
}
