// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of OAuth clients.
package protocol ClientStore: Sendable {
    func client(_ id: Identifier<Client>) async throws -> Client?
    func client(clientID: String, in project: Identifier<Project>) async throws -> Client?
    func clients(
        of project: Identifier<Project>, after clientID: String?, limit: Int
    ) async throws -> [Client]
    /// Returns the clients whose `clientID` begins with `prefix`.
    func clients(
        of project: Identifier<Project>, startingWith prefix: String, after clientID: String?,
        limit: Int
    ) async throws -> [Client]
    /// Inserts a client. Returns `false` if that `id` or `clientID` exists.
    func add(_ client: Client) async throws -> Bool
    /// Reads the client, applies `edit` and saves the result in one transaction, as
    /// ``PersonStore/change(person:now:_:)`` does. Disabling revokes the client's grants in the
    /// same transaction.
    func change<Objection: Sendable>(
        client id: Identifier<Client>, now: Timestamp,
        _ edit: @escaping @Sendable (inout Client) -> Objection?
    ) async throws -> RecordEdit<Client, Objection>
    func remove(client id: Identifier<Client>) async throws
}
