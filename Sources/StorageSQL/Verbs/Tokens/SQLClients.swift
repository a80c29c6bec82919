// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let clientSelect = "SELECT \(Client.columns.list) FROM clients"
private let clientByID = "\(clientSelect) WHERE id = $1"
private let clientByClientID = "\(clientSelect) WHERE project_id = $1 AND client_id = $2"
private let clientsAfter = """
    \(clientSelect) WHERE project_id = $1 AND client_id > $2 ORDER BY client_id
    """
private let clientsStarting = PrefixList("\(clientSelect) WHERE project_id = $1", by: "client_id")
private let clientUpdate = RecordUpdate<Client>(
    "clients", key: "id project_id", except: "created_at")
private let clientInsert =
    Client.columns.insert(into: "clients") + " ON CONFLICT DO NOTHING RETURNING id"

/// The clients of projects.
struct SQLClients: ClientStore, SQLCapability {
    let database: SQLDatabase

    func client(_ id: Identifier<Client>) async throws -> Client? {
        try await one(Client.init, clientByID, id)
    }

    func client(
        clientID: String, in project: Identifier<Project>
    ) async throws -> Client? {
        try await one(Client.init, clientByClientID, project, clientID)
    }

    func clients(
        of project: Identifier<Project>, after clientID: String?, limit: Int
    ) async throws -> [Client] {
        try await page(Client.init, clientsAfter, project, clientID ?? "", limit: limit)
    }

    func clients(
        of project: Identifier<Project>, startingWith prefix: String, after clientID: String?,
        limit: Int
    ) async throws -> [Client] {
        try await all(
            Client.init, clientsStarting, of: project, startingWith: prefix, after: clientID,
            limit: limit)
    }

    func add(_ client: Client) async throws -> Bool {
        try await !engine.change(clientInsert, arguments: client.values).isEmpty
    }

    func change<Objection: Sendable>(
        client id: Identifier<Client>, now: Timestamp,
        _ edit: @escaping @Sendable (inout Client) -> Objection?
    ) async throws -> RecordEdit<Client, Objection> {
        try await self.edit(Client.init, clientByID, [id.sqlValue], edit) {
            connection, row, _, new in
            try clientUpdate.run(new, over: row, on: connection)
            guard new.disabled else { return }
            _ = try connection.change(grantsRevokeOfClient, id, now, now.revokedRowsEnd)
        }
    }

    func remove(client id: Identifier<Client>) async throws {
        _ = try await engine.change("DELETE FROM clients WHERE id = $1", id)
    }
}
