// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where the API tokens of projects are kept.
package protocol APITokenStore: Sendable {
    /// Keeps a new one, and the event of it in the same step. `false` when its project is gone.
    func add(_ token: APIToken, recording event: AuditEvent) async throws -> Bool
    /// Whatever has become of it.
    func apiToken(hash: [UInt8]) async throws -> APIToken?
    /// Whatever has become of it; `nil` for one of another project.
    func apiToken(
        _ id: Identifier<APIToken>, of project: Identifier<Project>
    ) async throws -> APIToken?
    /// Changes who answers for one that still counts, and is as it was found; `event` is written in
    /// the same step.
    ///
    /// - Parameter hash: of the token from then on; `nil` when it stays.
    func handOver(
        apiToken: APIToken, to keeper: Identifier<Person>?, named name: String, hash: [UInt8]?,
        now: Timestamp, recording event: AuditEvent
    ) async throws -> APITokenTransferOutcome
    /// Up to `limit` in order of `id`, after `last`; ended ones for ``APIToken/remembered``.
    func apiTokens(
        of project: Identifier<Project>, after last: Identifier<APIToken>?, limit: Int
    ) async throws -> [APIToken]
    /// Ends one; `event` is written in the same step. `false` when there is none, or it has ended.
    func revoke(
        apiToken: Identifier<APIToken>, of project: Identifier<Project>, now: Timestamp,
        recording event: AuditEvent
    ) async throws -> Bool
    /// Remembers that it was used, to ``APIToken/useGrain``.
    func noteUse(of apiToken: Identifier<APIToken>, now: Timestamp) async throws
}

package enum APITokenTransferOutcome: Sendable, Equatable {
    case moved
    /// Somebody else took it over, or gave it another secret, since it was found.
    case overtaken
    /// There is none, or it has ended.
    case unknown
}
