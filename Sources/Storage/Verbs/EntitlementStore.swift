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
    func remove(
        entitlementSet name: String, of project: Identifier<Project>
    ) async throws -> RemoveEntitlementSetOutcome
    /// `nil` when there is no such person.
    func entitlements(of person: Identifier<Person>) async throws -> PersonalEntitlements?
    /// Gives the person that set (or none, when it is empty) and these entitlements of their own.
    /// `false` when there is no such person, or no such set in their project.
    func setEntitlements(
        of person: Identifier<Person>, set: String, explicit: String
    ) async throws -> Bool
}

package enum RemoveEntitlementSetOutcome: Sendable, Equatable {
    case removed
    /// Somebody has it.
    case inUse
    case unknown
}
