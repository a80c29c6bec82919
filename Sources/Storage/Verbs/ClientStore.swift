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
    /// Inserts, or replaces the one with the same `id`. `false` when another has the `clientID`.
    /// Disabling revokes the client's grants in the same step.
    func save(_ client: Client, now: Timestamp) async throws -> Bool
    func remove(client id: Identifier<Client>) async throws
}
