// SPDX-License-Identifier: Apache-2.0
import Primitives
import Support

/// The databases that a story is told on.
enum StoryDatabase: String, CaseIterable, Sendable {
    case sqlite
    case postgreSQL

    /// Where PostgreSQL is not installed, its half is skipped.
    static var available: [StoryDatabase] {
        PostgreSQLServer.unavailable == nil ? allCases : [.sqlite]
    }

    /// Of `gatehouse serve`; a new database each time.
    func options() throws -> [String] {
        switch self {
        case .sqlite: []
        case .postgreSQL:
            ["--database", try PostgreSQLServer.shared().makeDatabase().revealText()]
        }
    }
}
