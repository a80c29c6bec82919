// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
import JOSE
import Primitives
import ProviderCore
import ProviderPeople
package import Storage

/// The entitlement sets of a project, and their sequences.
package struct EntitlementSetAdministration: Sendable {
    private let scope: AdministrativeScope
    private var store: any ProviderStore { scope.store }
    private var project: Project { scope.project }

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    // MARK: Sets

    package func sets() async throws -> AdministrativeList<EntitlementSet> {
        AdministrativeList(
            "entitlement-sets/\(project.id)", scope.caller,
            all: try await store.entitlements.entitlementSets(of: project.id), key: \.name)
    }

    /// Creates the set, or replaces its entitlements.
    package func put(
        set name: String, _ entitlements: EntitlementValues,
        if condition: SaveCondition<EntitlementValues>
    ) async throws -> AdministrativeResult<EntitlementSet> {
        let set = EntitlementSet(
            project: project.id, name: name, entitlements: entitlements.text, createdAt: scope.now)
        let draft = scope.draft("admin.entitlement-set.put", ["name": .string(name)])
        let isSaved = try await scope.provider.recorded(draft) { store in
            switch condition {
            case .onlyNew: return try await store.entitlements.add(set) == .added
            case .onlyOver(let earlier):
                return try await store.entitlements.save(set, over: earlier.text) == .added
            case .always:
                try await store.entitlements.save(set)
                return true
            }
        }
        guard isSaved else { return .failure(condition.isOnlyNew ? .exists : .changedSince) }
        return .success(set)
    }

    package func remove(set name: String) async throws -> AdministrativeResult<Void> {
        let draft = scope.draft("admin.entitlement-set.remove", ["name": .string(name)])
        let outcome = try await scope.provider.recorded(draft) {
            try await $0.entitlements.remove(entitlementSet: name, of: project.id)
        }
        switch outcome {
        case .unknown: return .failure(.unknown("entitlement_set"))
        case .inUse:
            return .failure(
                .conflict(
                    "set_in_use",
                    "This set is assigned to a person, or part of a sequence. Change that first."))
        case .removed: return .success(())
        }
    }

    // MARK: Sequences

    package func sequences() async throws -> AdministrativeList<EntitlementSequence> {
        AdministrativeList(
            "entitlement-sequences/\(project.id)", scope.caller,
            all: try await store.entitlements.entitlementSequences(of: project.id), key: \.name)
    }

    package func sequence(_ name: String) async throws -> EntitlementSequence? {
        try await store.entitlements.entitlementSequence(named: name, in: project.id)
    }

    /// Creates the sequence, or replaces its steps, also for people in it.
    package func put(
        sequence name: String, _ steps: [EntitlementSequence.Step],
        if condition: SaveCondition<[EntitlementSequence.Step]>
    ) async throws -> AdministrativeResult<EntitlementSequence> {
        let sequence = EntitlementSequence(
            project: project.id, name: name, steps: steps, createdAt: scope.now)
        let draft = scope.draft("admin.entitlement-sequence.put", ["name": .string(name)])
        let outcome: AddEntitlementsOutcome = try await scope.provider.recorded(draft) { store in
            switch condition {
            case .onlyNew: try await store.entitlements.add(sequence)
            case .onlyOver(let earlier): try await store.entitlements.save(sequence, over: earlier)
            case .always: try await store.entitlements.save(sequence) ? .added : .missingSet
            }
        }
        switch outcome {
        case .exists: return .failure(condition.isOnlyNew ? .exists : .changedSince)
        case .missingSet: return .failure(.unknown("entitlement_set"))
        case .added: return .success(sequence)
        }
    }

    package func remove(sequence name: String) async throws -> AdministrativeResult<Void> {
        let draft = scope.draft("admin.entitlement-sequence.remove", ["name": .string(name)])
        let outcome = try await scope.provider.recorded(draft) {
            try await $0.entitlements.remove(entitlementSequence: name, of: project.id)
        }
        switch outcome {
        case .unknown: return .failure(.unknown("entitlement_sequence"))
        case .inUse:
            return .failure(
                .conflict(
                    "sequence_in_use", "This sequence is assigned to a person. Change that first."))
        case .removed: return .success(())
        }
    }
}
