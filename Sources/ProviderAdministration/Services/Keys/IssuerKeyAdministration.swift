// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderCore
import ProviderInstallations
package import Storage

/// The issuer keys of a project, except test registration keys (``TestRegistrationKeys``).
package struct IssuerKeyAdministration: Sendable {
    private let scope: AdministrativeScope

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    package func list() async throws -> AdministrativeList<IssuerKey> {
        AdministrativeList(
            "issuer-keys/\(scope.project.id)", scope.caller, all: try await all(),
            key: \.id.description)
    }

    private func all() async throws -> [IssuerKey] {
        try await scope.store.issuerKeys.issuerKeys(of: scope.project.id, kind: .federation)
    }

    /// Registers the key of that issuer and `kid`, or replaces it.
    package func put(
        _ key: DesiredIssuerKey, onlyNew: Bool
    ) async throws -> AdministrativeResult<[StateChange]> {
        try await scope.caller.reconcile(
            DesiredProject(name: scope.project.name, issuerKeys: [key]), making: .issuerKey,
            onlyNew: onlyNew)
    }

    /// Removes a key by its identifier. People who registered with it are not removed.
    package func remove(_ name: String) async throws -> AdministrativeResult<Void> {
        guard let id = Identifier<IssuerKey>(name),
            let key = try await all().first(where: { $0.id == id })
        else { return .failure(.unknown("issuer_key")) }
        let draft = scope.draft(
            "admin.issuer-key.remove", ["issuer": .string(key.issuer), "kid": .string(key.kid)])
        let removed = try await scope.provider.recorded(draft) {
            try await $0.issuerKeys.remove(issuerKey: id, of: scope.project.id)
        }
        guard removed != nil else { return .failure(.unknown("issuer_key")) }
        scope.provider.issuerKeys.invalidate()
        return .success(())
    }
}
