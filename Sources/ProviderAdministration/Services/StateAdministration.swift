// SPDX-License-Identifier: Apache-2.0
package import JOSE
import ProviderSettings

/// Plans and applies state documents.
package struct StateAdministration: Sendable {
    private let caller: AdministrativeCaller

    package init(_ caller: AdministrativeCaller) { self.caller = caller }

    /// Returns the changes that ``apply(_:)`` would make.
    package func plan(_ document: JSONValue) async throws -> AdministrativeResult<[StateChange]> {
        try await reconcile(document) { try await $0.plan($1) }
    }

    package func apply(_ document: JSONValue) async throws -> AdministrativeResult<[StateChange]> {
        try await reconcile(document) { try await $0.apply($1, facts: caller.facts) }
    }

    private func reconcile(
        _ document: JSONValue,
        _ body: (StateReconciler, DesiredState) async throws ->
            Result<[StateChange], StateDocumentError>
    ) async throws -> AdministrativeResult<[StateChange]> {
        let wanted: DesiredState
        do throws(StateDocumentError) { wanted = try StateParser.parse(document) } catch {
            return .failure(.invalid(error))
        }
        return try await body(StateReconciler(caller.provider, rights: caller.rights), wanted)
            .mapError(AdministrativeRefusal.invalid)
    }
}
