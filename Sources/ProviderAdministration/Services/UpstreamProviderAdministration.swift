// SPDX-License-Identifier: Apache-2.0
package import JOSE
import ProviderCore
import ProviderUpstream
package import Storage

/// The upstream providers of a project.
package struct UpstreamProviderAdministration: Sendable {
    private let scope: AdministrativeScope
    private var store: any ProviderStore { scope.store }

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    package func list() async throws -> AdministrativeList<UpstreamProvider> {
        AdministrativeList(
            "identity-providers/\(scope.project.id)", scope.caller,
            all: try await store.upstreamProviders.upstreamProviders(of: scope.project.id),
            key: \.name)
    }

    package func upstreamProvider(_ name: String) async throws -> UpstreamProvider? {
        try await store.upstreamProviders.upstreamProvider(named: name, in: scope.project.id)
    }

    /// Creates the upstream provider, or replaces it.
    ///
    /// - Parameter condition: the ``json(_:)`` that the administrator saw.
    package func put(
        _ provider: DesiredUpstreamProvider, if condition: SaveCondition<JSONValue>
    ) async throws -> AdministrativeResult<[StateChange]> {
        var wanted = provider
        if case .onlyOver(let shown) = condition {
            guard let known = try await upstreamProvider(wanted.identifier), json(known) == shown
            else { return .failure(.changedSince) }
            wanted.earlier = known
        }
        return try await scope.caller.reconcile(
            DesiredProject(name: scope.project.name, upstreamProviders: [wanted]),
            making: .upstreamProvider, onlyNew: condition.isOnlyNew)
    }

    /// Removes the upstream provider and the links of all people to it.
    package func remove(_ name: String) async throws -> AdministrativeResult<Void> {
        guard let known = try await upstreamProvider(name) else {
            return .failure(.unknown("identity_provider"))
        }
        let draft = scope.draft("admin.identity-provider.remove", ["name": .string(name)])
        let removed = try await scope.provider.recorded(draft) {
            try await $0.upstreamProviders.remove(
                upstreamProvider: known.id, of: scope.project.id, now: scope.now)
        }
        guard removed != nil else { return .failure(.unknown("identity_provider")) }
        scope.provider.upstream.invalidate()
        return .success(())
    }

    /// The upstream provider as an administrator sees it, with the URLs to register there.
    package func json(_ provider: UpstreamProvider) -> JSONValue {
        let tenant = scope.tenant
        var object = StateExport.object(provider)
        object["redirect_uri"] = .string(
            UpstreamAuthorizationRedirect.redirectURI(provider, of: tenant))
        object["post_logout_redirect_uri"] = .string(
            UpstreamSignOut.returnAddress(provider.name, of: tenant))
        object["logout_uri"] = .string(UpstreamLogout.address(provider.name, of: tenant))
        object["federation_jwks_uri"] = .string("\(tenant.issuer)/jwks/federation")
        return .object(object)
    }
}
