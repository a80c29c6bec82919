// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

let pinAdd = StoredPIN.columns.insert(into: "pins") + " ON CONFLICT DO NOTHING"
private let pinByKey = """
    SELECT \(StoredPIN.columns.list) FROM pins WHERE project_id = $1 AND key_id = $2
    """
private let activePIN = """
    project_id = $1 AND key_id = $2 AND revision = $3 AND ending IS NULL
    AND installation_id IS NOT NULL
    """
private let pinReplace = """
    UPDATE pins SET content = $4, revision = revision + 1 WHERE \(activePIN)
    RETURNING installation_id
    """
private let pinEnd = """
    UPDATE pins SET content = '', ending = $4, delete_after = $5, revision = revision + 1
    WHERE \(activePIN) RETURNING installation_id
    """
private let installationDelete = """
    DELETE FROM installations WHERE id = $1 RETURNING credential_id
    """
/// Clears the secrets of PINs whose installations or people were deleted.
let pinsEndOfNobody = """
    UPDATE pins SET content = '', ending = 'device_revoked', delete_after = $1,
    revision = revision + 1 WHERE (project_id, key_id) IN (SELECT project_id, key_id FROM pins
    WHERE installation_id IS NULL AND ending IS NULL LIMIT $2)
    """

extension Timestamp {
    /// The deletion time of the record of a PIN that is terminated now. A device that was offline
    /// longer finds its key unknown.
    var endedPINsEnd: Timestamp { self + .days(400) }
}

/// The PIN secrets of installations.
struct SQLProfilePINs: ProfilePINStore, SQLCapability {
    let database: SQLDatabase

    func pin(
        of keyID: [UInt8], in project: Identifier<Project>
    ) async throws -> StoredPIN? {
        try await one(StoredPIN.init, pinByKey, project, keyID)
    }

    func apply(_ change: PINChange) async throws -> PINChangeOutcome {
        do {
            try await engine.write { connection in
                let nonce = try connection.change(markAdd, arguments: change.nonce.values)
                if nonce == 0 { throw Unsettled(outcome: .nonceGone) }
                if let successor = change.successor {
                    try Self.replace(change, by: successor, connection)
                }
                if let event = change.event {
                    _ = try connection.change(auditInsert, arguments: event.values)
                }
            }
            return .applied
        } catch let unsettled as Unsettled {
            return unsettled.outcome
        }
    }

    private static func replace(
        _ change: PINChange, by successor: PINChange.Successor, _ connection: any SQLConnection
    ) throws {
        let (project, key, revision) = (change.project, change.keyID, change.revision)
        switch successor {
        case .content(let content):
            let changed = try connection.change(
                returning: pinReplace, project, key, revision, content)
            if changed.isEmpty { throw Unsettled(outcome: .stale) }
        case .ended(let reason):
            let changed = try connection.change(
                returning: pinEnd, project, key, revision, reason, change.now.endedPINsEnd)
            guard var row = changed.first else { throw Unsettled(outcome: .stale) }
            let installation = try row.identifier(Installation.self)
            _ = try connection.change(
                grantsRevokeOfInstallation, installation, change.now, change.now.revokedRowsEnd)
            try connection.endSessions(handedOverBy: installation, change.now)
            _ = try connection.change(authenticatorsDelete, installation)
            if var removed = try connection.change(returning: installationDelete, installation)
                .first,
                let credential = try removed.optionalIdentifier(Credential.self)
            {
                _ = try connection.change("DELETE FROM credentials WHERE id = $1", credential)
            }
        }
    }
}

/// Rolls back a change with its outcome.
private struct Unsettled: Error {
    let outcome: PINChangeOutcome
}
