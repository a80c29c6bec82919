// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where the identity providers of others are kept.
package protocol UpstreamProviderStore: Sendable {
    func upstreamProvider(
        named name: String, in project: Identifier<Project>
    ) async throws -> UpstreamProvider?
    /// In order of name; at most 100.
    func upstreamProviders(of project: Identifier<Project>) async throws -> [UpstreamProvider]
    /// Inserts, or replaces everything but the name and the kind of the one with that `id`. One
    /// that is not enabled has lost its people in the same step: every session that rests on it
    /// ends, and every grant that came from one. `false` when another of the project has the name.
    func save(_ provider: UpstreamProvider, now: Timestamp) async throws -> Bool
    /// Removes it, and what people have of it, as if it were disabled first.
    func remove(
        upstreamProvider id: Identifier<UpstreamProvider>, of project: Identifier<Project>,
        now: Timestamp
    ) async throws -> UpstreamProvider?
    /// Ends the sessions that rest on what is called so (``Session/restsOn``), with what was granted
    /// from them. Returns whose they were.
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
    /// Whether some provider that is enabled still vouches for that person.
    func isVouchedFor(_ person: Identifier<Person>) async throws -> Bool
}
