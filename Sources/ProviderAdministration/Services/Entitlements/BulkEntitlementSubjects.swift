// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderInstallations
import Storage

/// The people of one batch of ``BulkEntitlements``.
struct BulkEntitlementSubjects: Sendable {
    let all: [BulkEntitlements.Subject]
    /// The ``Person/qualifiedName`` of the last person of the filter; `nil` in the last batch.
    let next: String?

    /// Finds people by name. Returns `nil` if a person is named twice.
    init?(named names: [String], in scope: AdministrativeScope) async throws {
        var subjects: [BulkEntitlements.Subject] = []
        var seen: Set<Identifier<Person>> = []
        for name in names {
            let person = try await scope.person(name)
            if let person, !seen.insert(person.id).inserted { return nil }
            subjects.append(.init(name: name, person: person))
        }
        (all, next) = (subjects, nil)
    }

    /// Finds people by a filter.
    ///
    /// - Parameters:
    ///   - text: the beginning of a username in canonical form.
    ///   - set: the set that the people have, or an empty string for none; `nil` for all people.
    ///   - last: the ``next`` of the batch before.
    init(
        startingWith text: String, set: String?, after last: String?, limit: Int,
        in scope: AdministrativeScope
    ) async throws {
        let found = try await PeopleSearch(scope).named(text, after: last, limit: limit + 1)
        let page = found.prefix(limit)
        let fitting = page.filter { person in set.map { person.entitlementSet == $0 } ?? true }
        all = fitting.map { .init(name: $0.username, person: $0) }
        next = found.count > limit ? page.last?.qualifiedName : nil
    }
}
