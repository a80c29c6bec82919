// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where the identity providers of others are kept.
package protocol UpstreamProviderStore: Sendable {
    func upstreamProvider(
        named name: String, in project: Identifier<Project>
    ) async throws -> UpstreamProvider?
    /// In order of name; at most 100.
    func upstreamProviders(of project: Identifier<Project>) async throws -> [UpstreamProvider]
    /// Makes a new one. `false` when there is one with that `id`, or of that name in the project.
    func add(_ provider: UpstreamProvider) async throws -> Bool
    /// Reads the provider, lets `edit` change everything but its name and kind, and keeps what came
    /// out, in one step, as ``PersonStore/change(person:now:_:)`` does. One that is not enabled has
    /// lost its people in the same step: every session that rests on it ends, and every grant that
    /// came from one.
    func change<Objection: Sendable>(
        upstreamProvider id: Identifier<UpstreamProvider>, now: Timestamp,
        _ edit: @escaping @Sendable (inout UpstreamProvider) -> Objection?
    ) async throws -> RecordEdit<UpstreamProvider, Objection>
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
