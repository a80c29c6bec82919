// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
package import ProviderCore
package import Storage

/// Assigns a set of entitlements to many people, or removes it. A batch is one transaction with an
/// audit event for each person whose entitlements change. Entitlements that a person has
/// individually stay unchanged.
package struct BulkEntitlements: Sendable {
    /// Maximum number of people in a batch.
    package static let maximumPeople = 200

    /// A person of the request, found or not.
    package struct Subject: Sendable {
        /// The name in the request.
        package let name: String
        /// `nil` if no person has this name.
        package let person: Person?

        package init(name: String, person: Person?) {
            self.name = name
            self.person = person
        }
    }

    package enum Outcome: String, Sendable {
        case changed, unchanged, unknown
    }

    package struct Result: Sendable {
        package let subject: Subject
        /// The set or the sequence that the person had.
        package let before: PersonalEntitlements?
        package let outcome: Outcome
    }

    private let provider: Provider
    private let project: Project
    private let facts: RequestMetadata

    package init(_ provider: Provider, project: Project, facts: RequestMetadata) {
        self.provider = provider
        self.project = project
        self.facts = facts
    }

    /// - Parameter isDry: only reports what would change.
    /// - Returns: the results in the order of `subjects`, or `nil` if the set does not exist.
    package func run(
        _ change: EntitlementSetChange, for subjects: [Subject], isDry: Bool
    ) async throws -> [Result]? {
        let store = provider.store
        guard try await store.entitlements.entitlementSet(named: change.set, in: project.id) != nil
        else {
            return nil
        }
        let given = try await store.entitlements.entitlements(
            of: Set(subjects.compactMap(\.person?.id)), now: facts.now)
        let changed: Set<Identifier<Person>>?
        if isDry {
            changed = Set(given.filter { Self.differs(change, $0.value) }.keys)
        } else {
            changed = try await write(change, for: subjects.compactMap(\.person))
        }
        return changed.map { changed in
            subjects.map { subject in
                guard let id = subject.person?.id else {
                    return Result(subject: subject, before: nil, outcome: .unknown)
                }
                return Result(
                    subject: subject, before: given[id],
                    outcome: changed.contains(id) ? .changed : .unchanged)
            }
        }
    }

    private static func differs(
        _ change: EntitlementSetChange, _ given: PersonalEntitlements
    ) -> Bool {
        let hasSet = given.place == nil && given.set == change.set
        return change.isGiven ? !hasSet : hasSet
    }

    private func write(
        _ change: EntitlementSetChange, for people: [Person]
    ) async throws -> Set<Identifier<Person>>? {
        let details: JSONValue = ["set": .string(change.isGiven ? change.set : "")]
        let drafts = people.map { person in
            AuditEventDraft(
                "admin.person.entitlements", in: project.id, facts: facts, person: person.id,
                details: details.text)
        }
        let subjects = zip(people, drafts).map { person, draft in
            EntitlementSetChange.Subject(
                person: person.id, event: provider.audit.prepare(draft))
        }
        let changed = try await provider.store.entitlements.change(
            change, for: subjects, in: project.id)
        for draft in drafts where draft.person.map({ changed?.contains($0) == true }) == true {
            provider.audit.wasRecorded(draft)
        }
        return changed
    }
}
