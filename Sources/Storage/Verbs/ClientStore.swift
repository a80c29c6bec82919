// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where OAuth clients are kept.
package protocol ClientStore: Sendable {
    func client(_ id: Identifier<Client>) async throws -> Client?
    func client(clientID: String, in project: Identifier<Project>) async throws -> Client?
    func clients(
        of project: Identifier<Project>, after clientID: String?, limit: Int
    ) async throws -> [Client]
    /// The same of those whose `clientID` begins with `prefix`.
    func clients(
        of project: Identifier<Project>, startingWith prefix: String, after clientID: String?,
        limit: Int
    ) async throws -> [Client]
    /// Makes a new client. `false` when there is one with that `id` or `clientID`.
    func add(_ client: Client) async throws -> Bool
    /// Reads the client, lets `edit` change it and keeps what came out, in one step, as
    /// ``PersonStore/change(person:now:_:)`` does. Disabling revokes the client's grants in the
    /// same step.
    func change<Objection: Sendable>(
        client id: Identifier<Client>, now: Timestamp,
        _ edit: @escaping @Sendable (inout Client) -> Objection?
    ) async throws -> RecordEdit<Client, Objection>
    func remove(client id: Identifier<Client>) async throws
}
