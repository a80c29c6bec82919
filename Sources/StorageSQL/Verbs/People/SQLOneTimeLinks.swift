// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let linkSpend = """
    DELETE FROM challenges WHERE project_id = $1 AND purpose = $2 AND hash = $3
    AND expires_at > $4 AND payload = $5
    """
/// Also consumes the links of this purpose with the same payload. Of concurrent uses of two of them,
/// one finds no link.
private let linksSpend = """
    DELETE FROM challenges WHERE project_id = $1 AND purpose = $2 AND payload = $5 AND EXISTS (
    SELECT 1 FROM challenges WHERE project_id = $1 AND purpose = $2 AND hash = $3
    AND expires_at > $4 AND payload = $5)
    """

/// One-time links and invitations.
struct SQLOneTimeLinks: OneTimeLinkStore, SQLCapability {
    let database: SQLDatabase

    func create(
        _ person: Person, with credentials: [Credential], as administrator: Administrator?,
        spending link: Challenge, using use: OneTimeUse?, now: Timestamp,
        recording events: [AuditEvent]
    ) async throws -> LinkRedemptionOutcome {
        return try await spending(link, now, by: linksSpend) { connection in
            guard try connection.add(person) else { throw LinkRedemptionOutcome.usernameTaken }
            if let use, try connection.change(markAdd, arguments: use.values) == 0 {
                throw LinkRedemptionOutcome.usernameTaken
            }
            for credential in credentials { try connection.add(credential) }
            if let administrator {
                _ = try connection.change(administratorAdd, arguments: administrator.values)
            }
            for event in events { _ = try connection.change(auditInsert, arguments: event.values) }
        }
    }

    func add(
        _ credential: Credential, spending link: Challenge, now: Timestamp
    ) async throws -> LinkRedemptionOutcome {
        try await spending(link, now) { connection in
            try connection.add(credential)
            try connection.endInvitation(of: credential.person)
        }
    }

    /// Consumes the link and applies `use` in one transaction. If `use` throws, the link is
    /// unchanged.
    func spending(
        _ link: Challenge, _ now: Timestamp, by statement: String = linkSpend,
        _ use: @escaping @Sendable (any SQLConnection) throws -> Void
    ) async throws -> LinkRedemptionOutcome {
        let values = [
            link.project.sqlValue, link.purpose.rawValue.sqlValue, link.hash.sqlValue,
            now.sqlValue, link.payload.sqlValue,
        ]
        do {
            return try await engine.write { connection in
                guard try connection.change(statement, arguments: values) > 0 else {
                    return .linkGone
                }
                try use(connection)
                return .spent
            }
        } catch let outcome as LinkRedemptionOutcome {
            return outcome
        }
    }
}

extension SQLConnection {
    func add(_ credential: Credential) throws {
        guard try change(credentialAdd, arguments: credential.values) > 0 else {
            throw LinkRedemptionOutcome.credentialTaken
        }
    }
}
