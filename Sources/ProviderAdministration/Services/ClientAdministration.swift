// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
import ProviderCore
import ProviderTokens
package import Storage

/// The clients of a project.
package struct ClientAdministration: Sendable {
    private let scope: AdministrativeScope
    private var store: any ProviderStore { scope.store }

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    /// - Parameter text: the beginning of a `client_id`; an empty text finds all clients.
    package func list(startingWith text: String) -> AdministrativeList<Client> {
        AdministrativeList("clients/\(scope.project.id)/\(text)", scope.caller, key: \.clientID) {
            text.isEmpty
                ? try await store.clients.clients(of: scope.project.id, after: $0, limit: $1)
                : try await store.clients.clients(
                    of: scope.project.id, startingWith: text, after: $0, limit: $1)
        }
    }

    package func client(_ clientID: String) async throws -> Client? {
        try await store.clients.client(clientID: clientID, in: scope.project.id)
    }

    /// The groups without members that the policy of the client names.
    package func emptyGroups(of clientID: String) async throws -> [String] {
        guard let client = try await client(clientID) else { return [] }
        return try await store.groups.emptyGroups(named: client)
    }

    /// Creates the client, or replaces it.
    ///
    /// - Parameter condition: the ``json(_:)`` that the administrator saw.
    package func put(
        _ client: DesiredClient, if condition: SaveCondition<JSONValue>
    ) async throws -> AdministrativeResult<[StateChange]> {
        var wanted = client
        if case .onlyOver(let shown) = condition {
            guard let known = try await self.client(wanted.clientID), Self.json(known) == shown
            else { return .failure(.changedSince) }
            wanted.earlier = known
        }
        return try await scope.caller.reconcile(
            DesiredProject(name: scope.project.name, clients: [wanted]), making: .client,
            onlyNew: condition.isOnlyNew)
    }

    /// Removes the client; its grants end.
    package func remove(_ clientID: String) async throws -> AdministrativeResult<Void> {
        guard let client = try await client(clientID) else { return .failure(.unknown("client")) }
        let draft = scope.draft("admin.client.remove", clientID: client.clientID)
        try await scope.provider.recorded(draft) { try await $0.clients.remove(client: client.id) }
        scope.provider.clients.invalidate()
        return .success(())
    }

    /// The client as an administrator sees it, without secrets.
    package static func json(_ client: Client) -> JSONValue {
        var object = StateExport.object(client)
        object["created_at"] = .string(client.createdAt.rfc3339)
        return .object(object)
    }
}
