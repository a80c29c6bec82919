// SPDX-License-Identifier: Apache-2.0

/// What one client of the load knows for certain, because it received the answer.
struct Ledger: Sendable {
    /// An authorization code that was received.
    struct Code: Sendable {
        let value: String
        /// Redemptions that were sent, answered or not.
        var tries = 0
        /// Redemptions that were answered with tokens.
        var successes = 0
    }

    /// A family of refresh tokens, as far as its answers came.
    struct Family: Sendable {
        /// Oldest first; each was received as the successor of the one before.
        var tokens: [String]
        var isRevocationSent = false
        var isRevoked = false
    }

    struct Account: Sendable {
        let username: String
        let cookies: [String: String]
    }

    var codes: [Code] = []
    var families: [Family] = []
    var accounts: [Account] = []
    /// Answers that were neither what was asked for nor an interruption.
    var surprises: [String] = []

    /// Answered requests.
    var count: Int {
        codes.count + codes.map(\.successes).reduce(0, +)
            + families.map(\.tokens.count)
            .reduce(0, +) + accounts.count + families.filter(\.isRevoked).count
    }

    static func + (left: Ledger, right: Ledger) -> Ledger {
        Ledger(
            codes: left.codes + right.codes, families: left.families + right.families,
            accounts: left.accounts + right.accounts,
            surprises: left.surprises + right.surprises)
    }
}
