// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of entitlements.
package protocol EntitlementStore: Sendable {
    func entitlementSet(
        named name: String, in project: Identifier<Project>
    ) async throws -> EntitlementSet?
    /// Returns the sets in order of name; at most 1,000.
    func entitlementSets(of project: Identifier<Project>) async throws -> [EntitlementSet]
    /// Inserts the set, or replaces the entitlements of that name.
    func save(_ set: EntitlementSet) async throws
    /// Inserts the set. Returns `exists` if the name exists; the stored set is unchanged.
    func add(_ set: EntitlementSet) async throws -> AddEntitlementsOutcome
    /// Replaces the entitlements of the set with that name if they equal `earlier`. Returns
    /// `exists` if they differ or the set was deleted.
    func save(
        _ set: EntitlementSet, over earlier: String
    ) async throws -> AddEntitlementsOutcome
    func remove(
        entitlementSet name: String, of project: Identifier<Project>
    ) async throws -> RemoveEntitlementSetOutcome
    /// Returns the person's entitlements at that moment; `nil` if the person does not exist.
    func entitlements(
        of person: Identifier<Person>, now: Timestamp
    ) async throws -> PersonalEntitlements?
    /// Returns the same for many people of one project.
    func entitlements(
        of people: Set<Identifier<Person>>, now: Timestamp
    ) async throws -> [Identifier<Person>: PersonalEntitlements]
    /// Replaces the person's assignment, if it equals `earlier` or `earlier` is `nil`. A person who
    /// is already in the sequence keeps the position in it.
    func setEntitlements(
        of person: Identifier<Person>, to given: GivenEntitlements,
        over earlier: GivenEntitlements?,
        now: Timestamp
    ) async throws -> SetEntitlementsOutcome

    /// Assigns a set to many people, or removes it, in one transaction, and writes the event of
    /// each person whose entitlements changed. Individual entitlements stay. Returns the people who
    /// were affected; `nil` if the project has no such set.
    func change(
        _ change: EntitlementSetChange, for subjects: [EntitlementSetChange.Subject],
        in project: Identifier<Project>
    ) async throws -> Set<Identifier<Person>>?

    /// Returns the sequences in order of name; at most 1,000.
    func entitlementSequences(
        of project: Identifier<Project>
    ) async throws -> [EntitlementSequence]
    func entitlementSequence(
        named name: String, in project: Identifier<Project>
    ) async throws -> EntitlementSequence?
    /// Inserts the sequence, or replaces the steps of that name, also for people in it. Returns
    /// `false` if the project lacks one of its sets.
    func save(_ sequence: EntitlementSequence) async throws -> Bool
    /// Inserts the sequence. Returns `exists` if the name exists; the stored sequence is unchanged.
    func add(_ sequence: EntitlementSequence) async throws -> AddEntitlementsOutcome
    /// Replaces the steps of the sequence with that name if they equal `earlier`. Returns `exists`
    /// if they differ or the sequence was deleted.
    func save(
        _ sequence: EntitlementSequence, over earlier: [EntitlementSequence.Step]
    ) async throws -> AddEntitlementsOutcome
    func remove(
        entitlementSequence name: String, of project: Identifier<Project>
    ) async throws -> RemoveEntitlementSetOutcome

    /// Returns the remaining amounts of the person's expendable entitlements.
    func expendables(of person: Identifier<Person>) async throws -> [String: Int64]
    /// Adds and subtracts amounts, all or none. `event` is written in the same transaction if and
    /// only if the outcome is `changed`.
    func changeExpendables(
        _ change: ExpendableChange, recording event: AuditEvent
    ) async throws -> ExpendableOutcome
    /// Consumes `amount` of one entitlement: of two concurrent consumers of the last amount,
    /// exactly one succeeds. Otherwise as ``changeExpendables(_:recording:)``.
    func consumeEntitlement(
        _ name: String, amount: Int64, of person: Identifier<Person>, request: [UInt8],
        now: Timestamp, rememberedUntil: Timestamp, recording event: AuditEvent
    ) async throws -> ExpendableOutcome
}

extension EntitlementStore {
    package func consumeEntitlement(
        _ name: String, amount: Int64, of person: Identifier<Person>, request: [UInt8],
        now: Timestamp, rememberedUntil: Timestamp, recording event: AuditEvent
    ) async throws -> ExpendableOutcome {
        try await changeExpendables(
            ExpendableChange(
                person: person, request: request, amounts: [name: -amount], at: now,
                rememberedUntil: rememberedUntil), recording: event)
    }
}

package enum SetEntitlementsOutcome: Sendable, Equatable {
    case assigned
    /// The person's assignment has changed since it was read.
    case changedMeanwhile
    /// The person, set or sequence does not exist in the project.
    case unknown
}

package enum AddEntitlementsOutcome: Sendable, Equatable {
    case added
    case exists
    /// The project lacks one of a sequence's sets.
    case missingSet
}

package enum RemoveEntitlementSetOutcome: Sendable, Equatable {
    case removed
    /// It is assigned to a person or is part of a sequence.
    case inUse
    case unknown
}
