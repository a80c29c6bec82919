// SPDX-License-Identifier: Apache-2.0
import Testing

/// Holds the server, back from the dead, to what it had said.
struct Audit {
    let port: Int
    private var tokens: TokenRequests { TokenRequests(port: port) }

    func check(_ ledger: Ledger) throws {
        #expect(ledger.surprises.isEmpty, "\(ledger.surprises)")
        for family in ledger.families { try check(family) }
        for account in ledger.accounts { try check(account) }
        // Last: presenting a used code again revokes what came of it.
        for code in ledger.codes { try check(code) }
    }

    /// The last token that was received works. No earlier one starts a second line: inside the
    /// grace its predecessor answers with the same successor, everything older ends the family.
    private func check(_ family: Ledger.Family) throws {
        guard let last = family.tokens.last else { return }
        let answer = try tokens.refresh(last)
        if family.isRevoked {
            #expect(answer.status == 400, "a revoked family lives: \(answer.text)")
        } else if !family.isRevocationSent {
            #expect(answer.status == 200, "a refresh token was lost: \(answer.text)")
            try expectOneLine(family, successor: answer.refreshToken)
        }
    }

    private func expectOneLine(_ family: Ledger.Family, successor: String?) throws {
        let again = try tokens.refresh(family.tokens[family.tokens.count - 1])
        if let replayed = again.refreshToken {
            #expect(replayed == successor, "one refresh token had two successors")
        }
        guard family.tokens.count > 1 else { return }
        let old = try tokens.refresh(family.tokens[family.tokens.count - 2])
        #expect(old.status == 400, "an old refresh token worked: \(old.text)")
    }

    private func check(_ account: Ledger.Account) throws {
        let cookies = account.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let answer = try exchangeNow(
            .init(path: "/account", headers: [("Cookie", cookies)]), port: port)
        #expect(answer.status == 200, "\(account.username) lost account or session")
        #expect(answer.text.contains(account.username))
    }

    /// Checks a code. A redeemed code does not work again. One whose redemption was in progress
    /// works at most once, and one that was never presented works exactly once.
    private func check(_ code: Ledger.Code) throws {
        let first = try tokens.redeem(code.value)
        if code.successes > 0 {
            #expect(first.status == 400, "a code worked twice: \(first.text)")
        } else if code.tries == 0 {
            #expect(first.status == 200, "a code was lost: \(first.text)")
        }
        let second = try tokens.redeem(code.value)
        #expect(second.status == 400, "a code worked twice: \(second.text)")
    }
}
