// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of upstream identity providers.
package protocol UpstreamProviderStore: Sendable {
    func upstreamProvider(
        named name: String, in project: Identifier<Project>
    ) async throws -> UpstreamProvider?
    /// Returns the providers in order of name; at most 100.
    func upstreamProviders(of project: Identifier<Project>) async throws -> [UpstreamProvider]
    /// Inserts a provider. Returns `false` if that `id`, or that name in the project, exists.
    func add(_ provider: UpstreamProvider) async throws -> Bool
    /// Reads the provider, applies `edit` to everything except its name and kind, and saves the
    /// result in one transaction, as ``PersonStore/change(person:now:_:)`` does. If the provider is
    /// disabled afterwards, every session that depends on it ends, and their grants are revoked.
    func change<Objection: Sendable>(
        upstreamProvider id: Identifier<UpstreamProvider>, now: Timestamp,
        _ edit: @escaping @Sendable (inout UpstreamProvider) -> Objection?
    ) async throws -> RecordEdit<UpstreamProvider, Objection>
    /// Deletes the provider and its federated identities, with the effects of a disabling first.
    func remove(
        upstreamProvider id: Identifier<UpstreamProvider>, of project: Identifier<Project>,
        now: Timestamp
    ) async throws -> UpstreamProvider?
    /// Ends the sessions that depend on that external object (``Session/restsOn``), and revokes
    /// their grants. Returns their people.
    func endSessions(
        restingOn name: [UInt8], of project: Identifier<Project>, now: Timestamp
    ) async throws -> [Identifier<Person>]
    /// Ends the sessions of the person that rest on that link, with what was granted from them.
    /// Returns how many.
    ///
    /// - Parameter unnamedOnly: those alone for which the provider had no name.
    func endSessions(
        vouchedBy link: Identifier<Credential>, of person: Identifier<Person>, unnamedOnly: Bool,
        now: Timestamp
    ) async throws -> Int
    /// Whether an enabled provider still has a federated identity of that person.
    func isVouchedFor(_ person: Identifier<Person>) async throws -> Bool
}
