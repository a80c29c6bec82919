// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where entitlements are kept.
package protocol EntitlementStore: Sendable {
    func entitlementSet(
        named name: String, in project: Identifier<Project>
    ) async throws -> EntitlementSet?
    /// In order of name; at most 1,000.
    func entitlementSets(of project: Identifier<Project>) async throws -> [EntitlementSet]
    /// Inserts, or replaces the entitlements of the one with that name.
    func save(_ set: EntitlementSet) async throws
    /// Inserts it; `exists` when there is one of that name, which stays as it is.
    func add(_ set: EntitlementSet) async throws -> AddEntitlementsOutcome
    /// Replaces the entitlements of the one with that name while they are `earlier`; `exists` when
    /// they are others by now, or it is gone.
    func save(
        _ set: EntitlementSet, over earlier: String
    ) async throws -> AddEntitlementsOutcome
    func remove(
        entitlementSet name: String, of project: Identifier<Project>
    ) async throws -> RemoveEntitlementSetOutcome
    /// What they have at that moment. `nil` when there is no such person.
    func entitlements(
        of person: Identifier<Person>, now: Timestamp
    ) async throws -> PersonalEntitlements?
    /// The same of many people of one project at once.
    func entitlements(
        of people: Set<Identifier<Person>>, now: Timestamp
    ) async throws -> [Identifier<Person>: PersonalEntitlements]
    /// Replaces what the person was given, while it is `earlier` where that is not `nil`. Whoever is in
    /// the sequence already goes on in it.
    func setEntitlements(
        of person: Identifier<Person>, to given: GivenEntitlements,
        over earlier: GivenEntitlements?,
        now: Timestamp
    ) async throws -> SetEntitlementsOutcome

    /// Gives a set to many people, or takes it, in one step; the event of each is written exactly
    /// when it changed something for them. What is their own stays. Those for whom something
    /// changed; `nil` when the project has no such set.
    func change(
        _ change: EntitlementSetChange, for subjects: [EntitlementSetChange.Subject],
        in project: Identifier<Project>
    ) async throws -> Set<Identifier<Person>>?

    /// In order of name; at most 1,000.
    func entitlementSequences(
        of project: Identifier<Project>
    ) async throws -> [EntitlementSequence]
    func entitlementSequence(
        named name: String, in project: Identifier<Project>
    ) async throws -> EntitlementSequence?
    /// Inserts, or replaces the steps of the one with that name: for those who are in it as well.
    /// `false` when the project lacks one of its sets.
    func save(_ sequence: EntitlementSequence) async throws -> Bool
    /// Inserts it; `exists` when there is one of that name, which stays as it is.
    func add(_ sequence: EntitlementSequence) async throws -> AddEntitlementsOutcome
    /// Replaces the steps of the one with that name while they are `earlier`; `exists` when they are
    /// others by now, or it is gone.
    func save(
        _ sequence: EntitlementSequence, over earlier: [EntitlementSequence.Step]
    ) async throws -> AddEntitlementsOutcome
    func remove(
        entitlementSequence name: String, of project: Identifier<Project>
    ) async throws -> RemoveEntitlementSetOutcome

    /// What is left of each that the person was ever given.
    func expendables(of person: Identifier<Person>) async throws -> [String: Int64]
    /// Gives and takes amounts, all of them or none. `event` is written in the same step exactly
    /// when the outcome is `changed`.
    func changeExpendables(
        _ change: ExpendableChange, recording event: AuditEvent
    ) async throws -> ExpendableOutcome
    /// Uses up `amount` of one: of two who want the last of it exactly one gets it. As
    /// ``changeExpendables(_:recording:)`` otherwise.
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
    case given
    /// The person was given something else since.
    case changedMeanwhile
    /// There is no such person, or no such set or sequence in their project.
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
    /// Somebody has it, or a sequence leads to it.
    case inUse
    case unknown
}
