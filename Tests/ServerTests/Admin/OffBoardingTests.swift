// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage
import Support
import Testing

/// An administrator goes, and nothing stops: what they made belongs to projects, and is named.
@Suite struct OffBoardingTests {
    private let root = "/console/projects/qa"

    /// Olga has made one of everything in `qa`.
    private func busy() async throws -> (ConsoleHouse, token: String) {
        let house = try await ConsoleHouse()
        var olga = try await house.administrator(.projectAdministrator, in: house.qa)
        let made = try await olga.submit(
            root + "/api-tokens/create", ["name": "ci", "role": "developer", "days": "30"])
        let text = try #require(made.text.firstRange(of: "ghr_"))
        let token = made.text[text.lowerBound...].prefix { $0 != "\"" }
        _ = try await olga.get(root)
        _ = try await olga.submit(root + "/test-keys/create", ["name": "tests", "alg": "ES256"])
        _ = try await olga.get(root)
        _ = try await olga.submit(
            root + "/registration-tokens/create",
            ["label": "lab", "maximum_uses": "5", "hours": "24"])
        _ = try await olga.get(root)
        _ = try await olga.submit(
            root + "/fingerprints/apps/create",
            [
                "kind-of-entry": "apps", "package": "com.example.notes",
                "fingerprints": Array(repeating: "AB", count: 32).joined(separator: ":"),
            ])
        return (house, String(token))
    }

    private func status(
        _ house: ConsoleHouse, _ token: String, _ path: String = "/projects/qa/test-keys"
    ) async throws -> Int {
        var browser = house.pages.browser()
        let answer = try await browser.send(
            .get, "/admin/v1" + path, headers: [.authorization: "Bearer \(token)"], body: [])
        return Int(answer.status.code)
    }

    private static let names = ["ci", "tests", "lab", "com.example.notes"]

    @Test(
        "a removed administrator's resources stay, are listed, and tokens continue with another owner"
    )
    func removed() async throws {
        let (house, token) = try await busy()
        #expect(try await status(house, token) == 200)
        let sub = try await house.pages.person("olga").id
        var pia = try await house.administrator(.owner, named: "pia")
        let before = try await pia.get("/console/administrators/\(sub)/qa/revoke").text
        for name in Self.names { #expect(before.contains(name), "\(name)") }
        let list = try await pia.get(root + "/api-tokens").text
        #expect(list.contains("olga") && !list.contains("no longer has this role"))
        try await house.store.people.remove(person: sub)
        #expect(try await status(house, token) == 403)
        let after = try await pia.get(root + "/api-tokens").text
        #expect(after.contains("olga") && after.contains("no longer has this role"))
        let kept = try #require(
            try await house.store.apiTokens.apiTokens(of: house.qa.id, after: nil, limit: 5).first)
        for page in ["test-keys", "registration-tokens", "fingerprints"] {
            #expect(try await pia.get("\(root)/\(page)").text.contains("olga"), "\(page)")
        }
        let left = try await OwnedResources(house.pages.provider, now: house.pages.clock.now)
            .all(of: "olga")
        #expect(
            Set(left.map(\.kind)) == [.apiToken, .testKey, .registrationToken, .signingFingerprint])
        #expect(Set(left.map(\.name)) == Set(Self.names))
        #expect(left.allSatisfy { $0.project == "qa" })
        _ = try await pia.get(root + "/api-tokens")
        let handed = try await pia.submit(
            "\(root)/api-tokens/\(kept.id)/hand-over", ["keep_secret": "1"])
        #expect(handed.location == root + "/api-tokens?done=takenOver")
        #expect(try await status(house, token) == 200)
        #expect(try await !pia.get(root + "/api-tokens").text.contains("no longer has this role"))
        #expect(
            try await OwnedResources(house.pages.provider, now: house.pages.clock.now)
                .all(of: "pia").map(\.name) == ["ci"])
    }

    @Test("a maker who is disabled, or has another role now, has left their tokens")
    func demoted() async throws {
        let (house, token) = try await busy()
        let olga = try await house.pages.person("olga")
        func left() async throws -> Bool {
            let provider = house.pages.provider
            let tokens = try await provider.store.apiTokens.apiTokens(
                of: house.qa.id, after: nil, limit: 5)
            let facts = RequestMetadata(now: house.pages.clock.now, requestID: "r", address: "")
            return try await !APITokens(provider, facts: facts).left(among: tokens).isEmpty
        }
        #expect(try await !left())
        var disabled = olga
        disabled.disabled = true
        #expect(try await house.store.people.update(disabled, now: house.pages.clock.now))
        #expect(try await left())
        #expect(try await status(house, token) == 403)
        #expect(try await house.store.people.update(olga, now: house.pages.clock.now))
        #expect(try await !left())
        #expect(try await status(house, token) == 200)
        // An auditor sees test keys, as a developer does; what else changes, `APITokenKeeperTests` says.
        try await house.give(.auditor, to: "olga", in: house.qa)
        #expect(try await left())
        #expect(try await status(house, token) == 200)
    }

    @Test("the successor revokes a token by its name; then it opens nothing")
    func revoked() async throws {
        let (house, token) = try await busy()
        var pia = try await house.administrator(.projectAdministrator, in: house.qa, named: "pia")
        let kept = try await house.store.apiTokens.apiTokens(of: house.qa.id, after: nil, limit: 5)
        let path = "\(root)/api-tokens/\(try #require(kept.first).id)/revoke"
        var seal = try house.seal(try await pia.get(path))
        let slip = try await pia.submit(path, ["seal": seal, "confirmation": "cd"])
        #expect(slip.status == .conflict)
        #expect(try await status(house, token) == 200)
        seal = try house.seal(try await pia.get(path))
        let done = try await pia.submit(path, ["seal": seal, "confirmation": "ci"])
        #expect(done.location == root + "/api-tokens?done=apiToken")
        #expect(try await status(house, token) == 401)
        #expect(try await pia.get(path).status == .notFound)
    }

    @Test("a token of another project is not there under one's own")
    func othersToken() async throws {
        let (house, _) = try await busy()
        let token = try #require(
            try await house.store.apiTokens.apiTokens(of: house.qa.id, after: nil, limit: 5).first)
        var pia = try await house.administrator(.projectAdministrator, in: house.home, named: "pia")
        let path = "/console/projects/default/api-tokens/\(token.id)/revoke"
        #expect(try await pia.get(path).status == .notFound)
        _ = try await pia.get("/console/projects/default")
        #expect(try await pia.submit(path, ["confirmation": "ci"]).status == .notFound)
        #expect(
            try await !pia.get("/console/projects/default/api-tokens").text.contains(">ci<"))
        #expect(try await house.store.apiTokens.apiToken(hash: token.hash)?.revokedAt == nil)
    }

    @Test("a token is made once, for a role that the maker has, and a number of days")
    func making() async throws {
        let house = try await ConsoleHouse()
        var olga = try await house.administrator(.projectAdministrator, in: house.qa)
        for fields in [
            ["name": "ci", "role": "owner", "days": "30"], ["name": "", "role": "support"],
            ["name": "ci", "role": "support", "days": "0"],
            ["name": "ci", "role": "support", "days": "367"],
            ["name": "ci", "role": "king", "days": "1"],
        ] {
            _ = try await olga.get(root)
            let answer = try await olga.submit(root + "/api-tokens/create", fields)
            #expect((400..<500).contains(answer.status.code), "\(fields)")
        }
        #expect(
            try await house.store.apiTokens.apiTokens(of: house.qa.id, after: nil, limit: 5).isEmpty
        )
        let page = try await olga.get(root + "/api-tokens").text
        #expect(!page.contains("value=\"owner\"") && page.contains("value=\"auditor\""))
    }

    // MARK: Who may do more

    @Test("an administrator in the console cannot change the account of a person with more rights")
    func standing() async throws {
        let house = try await ConsoleHouse()
        _ = try await house.administrator(.owner, named: "pia")
        let pia = try await house.pages.person("pia").id
        try await house.person("bea")
        for role in [Administrator.Role.support, .projectAdministrator] {
            var browser = try await house.administrator(
                role, in: house.home, named: "a-\(role)".lowercased())
            let people = "/console/projects/default/people"
            for act in ["disable", "sign-out", "re-registration"] {
                _ = try await browser.get("/console/projects/default")
                let answer = try await browser.submit("\(people)/\(pia)/\(act)", [:])
                #expect(answer.status == .forbidden, "\(role) \(act)")
                #expect(!answer.text.contains("/reregister?token="), "\(role) \(act)")
            }
            if role == .projectAdministrator {
                let path = "\(people)/\(pia)/remove"
                let seal = try house.seal(try await browser.get(path))
                let answer = try await browser.submit(
                    path, ["seal": seal, "confirmation": "pia"])
                #expect(answer.status == .forbidden)
            }
            _ = try await browser.get("/console/projects/default")
            let other = try await browser.submit("\(people)/bea/disable", [:])
            #expect(other.status == .seeOther)
        }
        #expect(try await house.store.people.person(pia)?.disabled == false)
    }

    @Test("the last owner is neither removed nor disabled, in the console or by a document")
    func lastOwner() async throws {
        let house = try await ConsoleHouse()
        var olga = try await house.administrator(.owner)
        let path = "/console/projects/default/people/olga"
        let page = try await olga.get(path + "/remove")
        let removed = try await olga.submit(
            path + "/remove", ["seal": try house.seal(page), "confirmation": "olga"])
        #expect(removed.status == .conflict && removed.text.contains("last owner"))
        let disabled = try await olga.submit(path + "/disable", [:])
        #expect(disabled.status == .conflict && disabled.text.contains("last owner"))
        let state = try StateParser.parse([
            "projects": [["name": "default", "users": [["username": "olga", "disabled": true]]]]
        ])
        let plan = try await StateReconciler(house.pages.provider).plan(state)
        guard case .failure(let refusal) = plan else { Issue.record("was planned"); return }
        #expect(refusal.problems.map(\.path) == ["olga"])
        try await house.person("bea")
        try await house.give(.owner, to: "bea")
        _ = try await olga.get(path)
        #expect(
            try await olga.submit("/console/projects/default/people/bea/disable", [:]).status
                == .seeOther)
        _ = try await olga.get(path)
        #expect(try await olga.submit(path + "/disable", [:]).status == .conflict)
    }
}
