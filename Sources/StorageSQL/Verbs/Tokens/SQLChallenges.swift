// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

let challengeIssue = Challenge.columns.upsert(into: "challenges", key: "project_id purpose hash")
private let activeChallenge = "project_id = $1 AND purpose = $2 AND hash = $3 AND expires_at > $4"
private let challengePeek =
    "SELECT \(Challenge.columns.list) FROM challenges WHERE \(activeChallenge)"
private let challengeConsume = """
    DELETE FROM challenges WHERE \(activeChallenge) RETURNING \(Challenge.columns.list)
    """
/// Returns no rows, for ``SQLConnection/change(_:arguments:)``, as other statements of this name.
let markAdd = """
    INSERT INTO used_marks (kind, mark, expires_at) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING
    """
let markInsert = markAdd + " RETURNING kind"
private let markFind = "SELECT kind FROM used_marks WHERE kind = $1 AND mark = $2"

/// Challenges and one-time identifiers.
struct SQLChallenges: ChallengeStore, SQLCapability {
    let database: SQLDatabase

    func issue(_ challenge: Challenge) async throws {
        _ = try await engine.change(challengeIssue, arguments: challenge.values)
    }

    func peek(
        hash: [UInt8], purpose: Challenge.Purpose, in project: Identifier<Project>, now: Timestamp
    ) async throws -> Challenge? {
        try await one(Challenge.init, challengePeek, project, purpose.rawValue, hash, now)
    }

    func consumeChallenge(
        hash: [UInt8], purpose: Challenge.Purpose, in project: Identifier<Project>, now: Timestamp
    ) async throws -> Challenge? {
        try await engine.change(challengeConsume, project, purpose.rawValue, hash, now)
            .firstRecord(Challenge.init)
    }

    func markUsed(_ mark: OneTimeIdentifier, expiresAt: Timestamp) async throws -> Bool {
        try await !engine.change(markInsert, mark.kind.rawValue, mark.key, expiresAt).isEmpty
    }

    func isUsed(_ mark: OneTimeIdentifier) async throws -> Bool {
        try await one({ try $0.text() }, markFind, mark.kind.rawValue, mark.key) != nil
    }

    func markUsed(_ use: OneTimeUse, recording event: AuditEvent) async throws -> Bool {
        try await engine.write { connection in
            let made = try connection.change(markAdd, arguments: use.values)
            guard made > 0 else { return false }
            _ = try connection.change(auditInsert, arguments: event.values)
            return true
        }
    }
}
