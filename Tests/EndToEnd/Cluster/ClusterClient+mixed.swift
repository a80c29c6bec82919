// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// What people and services do besides codes and refreshes.
extension ClusterClient {
    mutating func mixedStep(_ person: String) throws {
        switch random.next() % 8 {
        case 0: try signIn(person)
        case 1: try register()
        case 2, 3: try requestCredentials()
        case 4, 5: try introspectAccess()
        default: try introspectRefresh()
        }
    }

    private func browser() -> FormAgent {
        let address = "10." + random.bytes(3).map { String($0) }.joined(separator: ".")
        return FormAgent(port: agent.port, address: address, issuer: agent.origin)
    }

    private mutating func signIn(_ person: String) throws {
        try submitPassword(person, at: "/sign-in")
    }

    private mutating func register() throws {
        try submitPassword("person-\(random.next() % 1_000_000_000)", at: "/register")
    }

    /// A session cookie acknowledges the account and the session, even if the next page fails.
    private mutating func submitPassword(_ person: String, at path: String) throws {
        let browser = browser()
        let fields = [("username", person), ("password", DeclaredState.password)]
        guard let page = try watch.answer({ try browser.follow(.init(path: path)) }) else { return }
        let answer = try watch.answer {
            try browser.submit(page, at: path, fields, having: "password")
        }
        if browser.isSignedIn {
            ledger.accounts.append(.init(username: person, cookies: browser.cookies))
        } else if let answer {
            throw HarnessError("\(path): \(answer.status) \(answer.text.prefix(400))")
        }
    }

    private mutating func requestCredentials() throws {
        guard let answer = try watch.answer({ try tokens.requestCredentials() }) else { return }
        guard answer.status == 200, let token = answer.json?["access_token"] as? String else {
            throw HarnessError("client credentials: \(answer.status) \(answer.text)")
        }
        accessToken = token
    }

    private func introspectAccess() throws {
        guard let accessToken else { return }
        try expectActive { try tokens.introspect(accessToken, by: TokenRequests.service) }
    }

    /// The newest refresh token of a grant exists.
    private func introspectRefresh() throws {
        guard !ledger.families.isEmpty else { return }
        let family = ledger.families[Int(random.next() % UInt64(ledger.families.count))]
        guard let token = family.tokens.last else { return }
        try expectActive { try tokens.introspect(token, by: TokenRequests.app) }
    }

    private func expectActive(_ request: () throws -> HTTPAnswer) throws {
        guard let answer = try watch.answer(request) else { return }
        guard answer.status == 200, answer.json?["active"] as? Bool == true else {
            throw HarnessError("introspection: \(answer.status) \(answer.text)")
        }
    }
}
