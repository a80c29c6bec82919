// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// A kind of row that is deleted after its expiry.
private struct Expiring {
    /// `$1` is now, `$2` the batch size. Returns the time of each deleted row.
    let delete: String
    /// The time of the row that expires first.
    let first: String

    init(_ table: String, key: String, time: String) {
        delete = """
            DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table)
            WHERE \(time) <= $1 ORDER BY \(time) LIMIT $2) RETURNING \(time)
            """
        first = "SELECT min(\(time)) FROM \(table)"
    }

    static let all: [Expiring] = [
        Expiring("sessions", key: "id", time: "expires_at"),
        Expiring("grants", key: "id", time: "delete_after"),
        Expiring("device_authorizations", key: "device_code_hash", time: "expires_at"),
        Expiring("approvals", key: "id", time: "expires_at"),
        Expiring("challenges", key: "project_id, purpose, hash", time: "expires_at"),
        Expiring("used_marks", key: "kind, mark", time: "expires_at"),
        Expiring("attempts", key: "bucket", time: "resets_at"),
        Expiring("device_tokens", key: "id", time: "expires_at"),
        Expiring("api_tokens", key: "id", time: "delete_after"),
        Expiring("unlock_keys", key: "id", time: "delete_after"),
        Expiring("server_leases", key: "id", time: "expires_at"),
        Expiring("expendable_changes", key: "person_id, request_id", time: "expires_at"),
        Expiring("held_names", key: "project_id, name", time: "held_until"),
        Expiring("pins", key: "project_id, key_id", time: "delete_after"),
    ]
}

/// Identifiers begin with their time, so the oldest events are first in the primary key.
private let auditSweep = """
    DELETE FROM audit_events WHERE id IN (SELECT id FROM audit_events WHERE id < $1
    ORDER BY id LIMIT $2) RETURNING at
    """

/// `$1` is before every identifier.
private let auditFirst = "SELECT at FROM audit_events WHERE id > $1 ORDER BY id LIMIT 1"

extension SQLMaintenance {
    func nextExpiry() async throws -> Timestamp? {
        let retention = database.auditRetention
        return try await engine.read { connection in
            let rows = try Expiring.all.compactMap { kind in
                try connection.query(kind.first).firstRecord { try $0.optionalTime() } ?? nil
            }
            let event = try connection.query(auditFirst, [UInt8]()).firstRecord { try $0.time() }
            return (rows + (event.map { [$0 + retention] } ?? [])).min()
        }
    }

    func sweep(now: Timestamp, batch: Int) async throws -> SweepOutcome {
        var outcome = SweepOutcome(deleted: 0, lag: .seconds(0))
        for kind in Expiring.all {
            outcome.add(try await engine.change(kind.delete, now, batch), until: now)
        }
        _ = try await engine.change(pinsEndOfNobody, now.endedPINsEnd, batch)
        let horizon = now - database.auditRetention
        let first = [UInt8](horizon.identifierPrefix) + [UInt8](repeating: 0, count: 10)
        outcome.add(try await engine.change(auditSweep, first, batch), until: horizon)
        try await readOlderWrites()
        return outcome
    }
}

extension SweepOutcome {
    fileprivate mutating func add(_ rows: [SQLRow], until now: Timestamp) {
        deleted += rows.count
        for row in rows {
            guard case .integer(let time)? = row.values.first else { continue }
            lag = max(lag, now - Timestamp(milliseconds: time))
        }
    }
}

extension Timestamp {
    /// The first six bytes of identifiers of this moment (RFC 9562 section 5.7). They precede all
    /// of these and later ones.
    var identifierPrefix: [UInt8] {
        withUnsafeBytes(of: UInt64(clamping: milliseconds).bigEndian) { Array($0.suffix(6)) }
    }
}
