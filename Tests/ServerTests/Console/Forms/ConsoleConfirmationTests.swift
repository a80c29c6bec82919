// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import ProviderInstallations
import Storage
import Support
import Testing

@testable import AdminConsole

/// What cannot be undone: the name typed, in a page that is not stale.
@Suite struct ConsoleConfirmationTests {
    private let people = "/console/projects/default/people"

    @Test("the correct name removes the person; any other text does not")
    func typed() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        var browser = try await house.administrator(.owner)
        let page = try await browser.get(people + "/bea/remove")
        let seal = try house.seal(page)
        for wrong in ["", "Bea", "be", "bea2", "olga"] {
            let answer = try await browser.submit(
                people + "/bea/remove", ["seal": seal, "confirmation": wrong])
            #expect(answer.status == .conflict, "\(wrong)")
            #expect(answer.text.contains("does not match"))
        }
        #expect(try await house.store.people.person(bea.id) != nil)
        let answer = try await browser.submit(
            people + "/bea/remove", ["seal": seal, "confirmation": " bea "])
        #expect(answer.location == people + "?done=person")
        #expect(try await house.store.people.person(bea.id) == nil)
        // A second submission does not find the person.
        let again = try await browser.submit(
            people + "/bea/remove", ["seal": seal, "confirmation": "bea"])
        #expect(again.status == .notFound)
    }

    @Test(
        "a name is typed as it is seen, whatever spaces and unseen characters a program gave it",
        arguments: [
            ("two  spaces", "two spaces"), (" lead", "lead"), ("zero\u{200B}width", "zerowidth"),
            ("right\u{202E}left", "rightleft"), ("   ", nil), ("\u{200B}", nil),
        ] as [(String, String?)])
    func seen(_ name: String, _ typed: String?) async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let facts = RequestMetadata(now: house.pages.clock.now, requestID: "r", address: "")
        let keys = TestRegistrationKeys(
            house.pages.provider, tenant: house.pages.tenant, facts: facts)
        let key = try await keys.make(.es256, name: name, owner: "olga").get().key
        let path = "/console/projects/default/test-keys/\(key.kid)/revoke"
        let page = try await browser.get(path)
        // Nothing to see of it: then it is called by its identifier.
        let word = typed ?? key.kid
        #expect(page.text.contains("“\(word)”"))
        let slip = try await browser.submit(
            path, ["seal": try house.seal(page), "confirmation": word + "x"])
        #expect(slip.status == .conflict)
        let gone = try await browser.submit(
            path, ["seal": try house.seal(page), "confirmation": word])
        #expect(gone.status == .seeOther)
        #expect(
            try await house.store.issuerKeys.issuerKeys(of: house.home.id, kind: .test).isEmpty)
    }

    @Test("the name of the home project is not requested, because it cannot be deleted")
    func homeProject() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let path = "/console/projects/default/remove"
        let page = try await browser.get(path)
        #expect(page.status == .conflict && page.text.contains("The project “default”"))
        #expect(!page.text.contains("name=\"confirmation\""))
        #expect(try await browser.submit(path, [:]).status == .conflict)
        #expect(try await browser.get("/console/projects/qa/remove").status == .ok)
    }

    @Test("a confirmation is stale when it is old, of another page, person, name or session")
    func stale() async throws {
        let house = try await ConsoleHouse()
        for name in ["bea", "carla"] { try await house.person(name) }
        try await house.client("bea")
        var browser = try await house.administrator(.owner)
        let seal = try house.seal(try await browser.get(people + "/bea/remove"))
        func refused(_ path: String, _ seal: String, _ word: String) async throws {
            let answer = try await browser.submit(path, ["seal": seal, "confirmation": word])
            #expect(answer.status == .conflict, "\(path)")
            #expect(answer.text.contains("This page has expired"), "\(path)")
        }
        try await refused(people + "/carla/remove", seal, "carla")
        try await refused("/console/projects/default/clients/bea/remove", seal, "bea")
        for broken in ["", "AAAA", String(seal.dropLast(4)), seal + "AA", "~"] {
            try await refused(people + "/bea/remove", broken, "bea")
        }
    }

    @Test("a confirmation of ten minutes is good, of ten and a second it is not")
    func lifetime() throws {
        let now = Timestamp(seconds: 1_800_000_000)
        let secrets = try #require(
            DerivedKeys(master: Secret([UInt8](repeating: 7, count: 32))))
        func make(_ act: String, _ session: Identifier<Session>) -> ConsoleConfirmation {
            ConsoleConfirmation(secrets: secrets, session: session, act: act)
        }
        let random = SystemRandomSource()
        let session = Identifier<Session>(now: now, random: random)
        let confirmation = make("/a", session)
        let seal = confirmation.seal("bea", now: now)
        func judge(
            _ judge: ConsoleConfirmation, _ typed: String? = "bea", word: String = "bea",
            at time: Timestamp
        ) -> ConsoleConfirmation.Outcome {
            judge.verify(seal, typed: typed, word: word, now: time)
        }
        #expect(judge(confirmation, at: now) == .confirmed)
        #expect(judge(confirmation, at: now + .minutes(10)) == .confirmed)
        #expect(judge(confirmation, at: now + .minutes(10) + .seconds(1)) == .stale)
        #expect(judge(confirmation, at: now - .seconds(1)) == .stale)
        #expect(judge(confirmation, nil, at: now) == .differs)
        #expect(judge(confirmation, "bee", word: "bee", at: now) == .stale)
        #expect(judge(make("/b", session), at: now) == .stale)
        #expect(judge(make("/a", Identifier(now: now, random: random)), at: now) == .stale)
    }

    @Test("the last owner keeps the role under every request")
    func lastOwner() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let olga = try await house.pages.person("olga").id
        let path = "/console/administrators/\(olga)/*/revoke"
        let page = try await browser.get(path)
        let answer = try await browser.submit(
            path, ["seal": try house.seal(page), "confirmation": "olga"])
        #expect(answer.status == .conflict && answer.text.contains("last owner"))
        let demoted = try await browser.submit(
            "/console/administrators/grant", ["username": "olga", "role": "auditor"])
        #expect(demoted.status == .conflict)
        #expect(try await browser.get("/console/administrators").status == .ok)
    }

    @Test("roles are given to people of the home project, in projects that there are")
    func grants() async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        try await house.person("dora", in: house.qa)
        var browser = try await house.administrator(.owner)
        func grant(_ name: String, _ role: String, _ project: String) async throws -> Answer {
            _ = try await browser.get("/console/administrators")
            return try await browser.submit(
                "/console/administrators/grant",
                ["username": name, "role": role, "project": project])
        }
        for (name, role, project) in [
            ("nobody", "support", ""), ("dora", "support", "qa"), ("bea", "king", ""),
            ("bea", "support", "nowhere"), ("bea", "owner", "qa"), ("", "support", ""),
        ] {
            let answer = try await grant(name, role, project)
            #expect((400..<500).contains(answer.status.code), "\(name) \(role) \(project)")
        }
        #expect(
            try await grant("bea", "support", "qa").location
                == "/console/administrators?done=granted")
        let bea = try await house.pages.person("bea").id
        #expect(
            try await house.store.administrators.administration(of: bea).map(\.project) == [
                house.qa.id
            ])
        let path = "/console/administrators/\(bea)/qa/revoke"
        let page = try await browser.get(path)
        _ = try await browser.submit(
            path, ["seal": try house.seal(page), "confirmation": "bea"])
        #expect(try await house.store.administrators.administration(of: bea).isEmpty)
    }
}
