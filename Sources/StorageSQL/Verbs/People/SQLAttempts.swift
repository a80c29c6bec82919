// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Increments to at most one above the limit (`$4`), so that the counter cannot overflow.
private let attemptRecord = """
    INSERT INTO attempts (bucket, attempts, resets_at) VALUES ($1, 1, $2)
    ON CONFLICT (bucket) DO UPDATE SET
    attempts = CASE WHEN attempts.resets_at <= $3 THEN 1
    WHEN attempts.attempts > $4 THEN attempts.attempts ELSE attempts.attempts + 1 END,
    resets_at = CASE WHEN attempts.resets_at <= $3 THEN excluded.resets_at
    ELSE attempts.resets_at END
    RETURNING attempts, resets_at
    """

private let attemptFind = """
    SELECT attempts, resets_at FROM attempts WHERE bucket = $1 AND resets_at > $2
    """

/// The counted attempts of attempt limits.
struct SQLAttempts: AttemptStore, SQLCapability {
    let database: SQLDatabase

    func attempts(
        in buckets: [[UInt8]], now: Timestamp
    ) async throws -> [[UInt8]: CountedAttempts] {
        try await engine.read { connection in
            var found: [[UInt8]: CountedAttempts] = [:]
            for bucket in buckets {
                found[bucket] = try connection.query(attemptFind, bucket, now).firstRecord {
                    CountedAttempts(
                        count: Int(clamping: try $0.integer()), resetsAt: try $0.time())
                }
            }
            return found
        }
    }

    func recordAttempt(
        bucket: [UInt8], limit: Int, window: TimeSpan, now: Timestamp
    ) async throws -> AttemptDecision {
        try Self.verdict(
            await engine.change(attemptRecord, bucket, now + window, now, limit), limit: limit)
    }

    fileprivate static func verdict(_ rows: [SQLRow], limit: Int) throws -> AttemptDecision {
        let counted = try rows.firstRecord { (try $0.integer(), try $0.time()) }
        guard let (count, resetsAt) = counted else {
            throw StorageError(.engine, "an attempt was not counted")
        }
        guard count <= Int64(limit) else { return .refused(until: resetsAt) }
        return .allowed(remaining: limit - Int(count))
    }

    func clearAttempts(bucket: [UInt8]) async throws {
        _ = try await engine.change("DELETE FROM attempts WHERE bucket = $1", bucket)
    }
}

extension SQLConnection {
    /// Counts one attempt in each budget, and holds their rows. Returns when the last of the budgets
    /// that are exhausted is empty again; `nil` if none is.
    func count(
        in budgets: [AttemptBudget], window: TimeSpan, _ now: Timestamp
    ) throws -> Timestamp? {
        // In one order in every transaction: two with the same budgets do not lock each other.
        let ordered = budgets.sorted { $0.bucket.lexicographicallyPrecedes($1.bucket) }
        let ends = try ordered.compactMap { budget -> Timestamp? in
            let rows = try change(
                returning: attemptRecord, budget.bucket, now + window, now, budget.limit)
            guard case .refused(let end) = try SQLAttempts.verdict(rows, limit: budget.limit) else {
                return nil
            }
            return end
        }
        return ends.max()
    }
}
