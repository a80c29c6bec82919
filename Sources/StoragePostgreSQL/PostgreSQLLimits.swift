// SPDX-License-Identifier: Apache-2.0

/// The time limits of a session. They are set by a statement after the connection is open, not by
/// the start-up parameter `options`, which connection poolers refuse.
enum PostgreSQLLimits {
    /// A connection of the pool: a statement that needs longer is cancelled, so that one locked
    /// table or one bad plan does not hold all connections.
    static let pool = greeting(lock: 3_000)
    /// The connection of shared commits. A change that waits longer for a lock waits elsewhere.
    static let sharedCommits = greeting(lock: 50)

    /// - Parameter lock: Milliseconds that a statement waits for one lock.
    private static func greeting(lock: Int) -> String {
        "SET lock_timeout = \(lock); SET statement_timeout = 15000; "
            + "SET idle_in_transaction_session_timeout = 60000"
    }

    /// Within a transaction: no limit, for a long read such as a backup.
    static let none =
        "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0"
}
