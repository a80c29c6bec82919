// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// `/projects/{project}/clients`: relying parties and services.
struct ClientEndpoints: Sendable {
    private let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    private static let path = "/projects/{project}/clients"

    var all: [AdminEndpoint] {
        [
            AdminEndpoint(
                .get, Self.path, "listClients", "Clients, in order of client_id.",
                query: AdminEndpoint.search("client_id") + AdminEndpoint.paging, answer: "Page",
                run: list),
            AdminEndpoint(
                .get, Self.path + "/{client}", "showClient", "One client.", answer: "Client"
            ) { call in
                guard let client = try await client(call) else { return .unknown("client") }
                return .value(Self.json(client))
            },
            AdminEndpoint(
                .put, Self.path + "/{client}", "putClient",
                "Makes the client, or makes it match the body.", body: "Client",
                answer: "Changes", statuses: AdminEndpoint.making, run: put),
            AdminEndpoint(
                .delete, Self.path + "/{client}", "removeClient",
                "Removes the client; its tokens end.", run: remove),
        ]
    }

    private func list(_ call: AdminRequest) async throws -> AdminResponse {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return .unknown("project") }
        let (store, search) = (provider.store, call.search)
        return try await PageRequest.answer(
            call, list: "clients/\(project.id)/\(search)", secrets: provider.secrets,
            read: {
                search.isEmpty
                    ? try await store.clients.clients(of: project.id, after: $0, limit: $1)
                    : try await store.clients.clients(
                        of: project.id, startingWith: search, after: $0, limit: $1)
            },
            key: \.clientID, json: Self.json)
    }

    private func client(_ call: AdminRequest) async throws -> Client? {
        guard
            let project = try await provider.store.projects.project(
                named: call[parameter: "project"])
        else { return nil }
        return try await provider.store.clients.client(
            clientID: call[parameter: "client"], in: project.id)
    }

    private func put(_ call: AdminRequest) async throws -> AdminResponse {
        let name = call[parameter: "project"]
        guard try await provider.store.projects.project(named: name) != nil else {
            return .unknown("project")
        }
        var wanted: DesiredClient
        do throws(StateDocumentError) {
            wanted = try StateParser.client(call.body, id: call[parameter: "client"])
        } catch {
            return .invalid(error)
        }
        if let shown = call.onlyOver {
            guard let known = try await client(call), Self.json(known) == shown else {
                return .changedSince
            }
            wanted.earlier = known
        }
        return try await provider.reconcile(
            DesiredProject(name: name, clients: [wanted]), making: .client, call)
    }

    private func remove(_ call: AdminRequest) async throws -> AdminResponse {
        guard let client = try await client(call) else { return .unknown("client") }
        let draft = AuditEventDraft(
            "admin.client.remove", in: client.project, facts: call.facts,
            clientID: client.clientID)
        try await provider.recorded(draft) { try await $0.clients.remove(client: client.id) }
        provider.clients.invalidate()
        return .nothing
    }

    private static func json(_ client: Client) -> JSONValue {
        var object = StateExport.object(client)
        object["created_at"] = .string(client.createdAt.rfc3339)
        return .object(object)
    }
}
