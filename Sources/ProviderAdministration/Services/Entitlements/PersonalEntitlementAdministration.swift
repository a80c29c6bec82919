// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
import JOSE
import Primitives
import ProviderCore
package import ProviderInstallations
import ProviderPeople
package import Storage

/// The entitlements of a person.
package struct PersonalEntitlementAdministration: Sendable {
    private let scope: AdministrativeScope
    private let person: Person
    private var store: any ProviderStore { scope.store }

    package init(_ scope: AdministrativeScope, _ person: Person) {
        self.scope = scope
        self.person = person
    }

    /// An assignment as an administrator wants it.
    package struct Assignment: Sendable {
        var set: String
        let sequence: String
        /// Whether it has the form of an ``EntitlementOverview``, in which `set` is the current set
        /// of the sequence.
        let isOverview: Bool
        let explicit: EntitlementValues

        package init(
            set: String, sequence: String, isOverview: Bool = false, explicit: EntitlementValues
        ) {
            self.set = set
            self.sequence = sequence
            self.isOverview = isOverview
            self.explicit = explicit
        }
    }

    /// Returns `nil` if the person does not exist.
    package func overview() async throws -> EntitlementOverview? {
        try await EntitlementOverview(of: person.id, in: store.entitlements, now: scope.now)
    }

    /// Replaces the assignment.
    ///
    /// - Parameter earlier: the entitlements that the administrator saw; `nil` replaces any.
    package func assign(
        _ assignment: Assignment, over earlier: GivenEntitlements? = nil
    ) async throws -> AdministrativeResult<Void> {
        let current = try await store.entitlements.entitlements(of: person.id, now: scope.now)
        var wanted = assignment
        if wanted.isOverview, wanted.set == current?.set { wanted.set = "" }
        guard wanted.set.isEmpty || wanted.sequence.isEmpty else {
            return .failure(
                .invalid("invalid_entitlements", "Give a set or a sequence, not both."))
        }
        let given = GivenEntitlements(
            set: wanted.set, sequence: wanted.sequence, explicit: wanted.explicit.text)
        let draft = scope.draft(
            "admin.person.entitlements", person: person.id,
            ["set": .string(wanted.set), "sequence": .string(wanted.sequence)])
        let outcome = try await scope.provider.recorded(draft) {
            try await $0.entitlements.setEntitlements(
                of: person.id, to: given, over: earlier, now: scope.now)
        }
        switch outcome {
        case .assigned: return .success(())
        case .changedMeanwhile: return .failure(.changedSince)
        case .unknown:
            return .failure(
                .unknown(wanted.sequence.isEmpty ? "entitlement_set" : "entitlement_sequence"))
        }
    }

    /// Adds amounts to expendable entitlements, or deducts them: all or none. A repeated request
    /// changes nothing.
    ///
    /// - Returns: the remaining amounts.
    package func change(
        _ amounts: [String: Int64], request: RequestName
    ) async throws -> AdministrativeResult<[String: Int64]> {
        let draft = scope.draft(
            "admin.person.expendables", person: person.id, EntitlementOverview.json(amounts))
        let change = ExpendableChange(
            person: person.id, request: request.bytes, amounts: amounts, at: scope.now,
            rememberedUntil: scope.now + EntitlementAccount.memory)
        let outcome = try await scope.recorded(draft, if: \.isChange) {
            try await $0.entitlements.changeExpendables(change, recording: $1)
        }
        return Self.result(outcome)
    }

    private static func result(
        _ outcome: ExpendableOutcome
    ) -> AdministrativeResult<[String: Int64]> {
        switch outcome {
        case .changed(let left), .repeated(let left): .success(left)
        case .tooLittle(let name, let left):
            .failure(
                .conflict(
                    "negative_entitlement",
                    "Of \(name) only \(left) are left; nothing was changed."))
        case .tooMuch(let name):
            .failure(
                .conflict(
                    "overflowed_entitlement",
                    "There would be more of \(name) than can be counted; nothing was changed."))
        case .requestTaken:
            .failure(
                .conflict(
                    "request_id_taken",
                    "This request_id stood for another change. Choose a new one."))
        case .unknownPerson: .failure(.unknown("person"))
        }
    }
}

extension ExpendableOutcome {
    fileprivate var isChange: Bool {
        if case .changed = self { true } else { false }
    }
}
