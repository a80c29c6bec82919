// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of the API tokens of projects.
package protocol APITokenStore: Sendable {
    /// Inserts a token and its audit event in one transaction. Returns `false` if its project does
    /// not exist.
    func add(_ token: APIToken, recording event: AuditEvent) async throws -> Bool
    /// Returns the token in any state.
    func apiToken(hash: [UInt8]) async throws -> APIToken?
    /// Returns the token in any state; `nil` for one of another project.
    func apiToken(
        _ id: Identifier<APIToken>, of project: Identifier<Project>
    ) async throws -> APIToken?
    /// Transfers an active token that equals `apiToken` to another owner, and writes `event` in the
    /// same transaction.
    ///
    /// - Parameter hash: The token's new hash; `nil` if it stays.
    func handOver(
        apiToken: APIToken, to keeper: Identifier<Person>?, named name: String, hash: [UInt8]?,
        now: Timestamp, recording event: AuditEvent
    ) async throws -> APITokenTransferOutcome
    /// Returns up to `limit` tokens in order of `id`, after `last`; expired and revoked ones for
    /// ``APIToken/remembered``.
    func apiTokens(
        of project: Identifier<Project>, after last: Identifier<APIToken>?, limit: Int
    ) async throws -> [APIToken]
    /// Revokes a token and writes `event` in the same transaction. Returns `false` if it does not
    /// exist or is not active.
    func revoke(
        apiToken: Identifier<APIToken>, of project: Identifier<Project>, now: Timestamp,
        recording event: AuditEvent
    ) async throws -> Bool
    /// Updates the time of last use, to ``APIToken/useGrain``.
    func noteUse(of apiToken: Identifier<APIToken>, now: Timestamp) async throws
}

package enum APITokenTransferOutcome: Sendable, Equatable {
    case moved
    /// The token's owner or secret has changed since it was read.
    case overtaken
    /// The token does not exist or is not active.
    case unknown
}
