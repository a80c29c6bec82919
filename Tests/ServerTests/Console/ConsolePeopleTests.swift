// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import Storage
import Support
import Testing

@testable import WebPages

/// People in the console: found, looked at, helped, removed.
@Suite struct ConsolePeopleTests {
    private let people = "/console/projects/default/people"

    private func crowd(_ house: ConsoleHouse, _ count: Int) async throws {
        for number in 1...count {
            try await house.person("p" + String(1000 + number))
        }
    }

    /// The address behind a link with that `rel`.
    private func link(_ rel: String, in answer: Answer) -> String? {
        guard let mark = answer.text.firstRange(of: "\" rel=\"\(rel)\"") else { return nil }
        let before = answer.text[..<mark.lowerBound]
        return before.ranges(of: "href=\"").last.map { String(before[$0.upperBound...]) }
    }

    @Test("the list goes on by an opaque cursor, and costs the same on every page")
    func pages() async throws {
        let house = try await ConsoleHouse()
        try await crowd(house, 160)
        var browser = try await house.administrator(.support)
        var path: String? = people
        var costs: [CountingEngine.Counts] = []
        var names: [Substring] = []
        while let next = path {
            var answer: Answer?
            costs.append(
                try await house.engine.count { answer = try await browser.get(next) })
            let page = try #require(answer)
            #expect(page.status == .ok)
            names += page.text.matches(of: /">(p1\d\d\d)</).map(\.output.1)
            path = link("next", in: page)
        }
        #expect(costs.count == 4)
        #expect(costs.allSatisfy { $0 == CountingEngine.Counts(reads: 4, writes: 0) }, "\(costs)")
        #expect(names == (1...160).map { Substring("p" + String(1000 + $0)) })
    }

    @Test("a person is found by the beginning of the name, or by the whole verified address")
    func search() async throws {
        let house = try await ConsoleHouse()
        for name in ["anna", "annabel", "bea"] { try await house.person(name) }
        var browser = try await house.administrator(.support)
        func found(_ text: String) async throws -> Set<String> {
            let page = try await browser.get("\(people)?search=\(FormText.encode(text))").text
            return Set(["anna", "annabel", "bea", "olga"].filter { page.contains(">\($0)</a>") })
        }
        #expect(try await found("anna") == ["anna", "annabel"])
        #expect(try await found(" ANNAB ") == ["annabel"])
        #expect(try await found("bea@example.com") == ["bea"])
        #expect(try await found("example.com").isEmpty)
        #expect(try await found("%").isEmpty)
        #expect(try await found("<script>").isEmpty)
        #expect(try await found("") == ["anna", "annabel", "bea", "olga"])
        let nobody = try await browser.get(people + "?search=%3Cscript%3E").text
        #expect(!nobody.contains("<script>") && nobody.contains("&lt;script&gt;"))
    }

    @Test("a cursor of another list, another search or of one's own making is refused")
    func cursors() async throws {
        let house = try await ConsoleHouse()
        try await crowd(house, 60)
        for number in 1...60 { try await house.person("q\(100 + number)", in: house.qa) }
        var browser = try await house.administrator(.owner)
        let next = try #require(link("next", in: try await browser.get(people)))
        let cursor = try #require(next.split(separator: "cursor=").last)
        #expect(try await browser.get(next).status == .ok)
        for address in [
            "\(people)?search=p&cursor=\(cursor)",
            "/console/projects/qa/people?cursor=\(cursor)",
            "/console/projects/default/clients?cursor=\(cursor)",
            "/console/projects/default/audit?cursor=\(cursor)", "\(people)?cursor=\(cursor)x",
            "\(people)?cursor=p1001", "\(people)?cursor=AAAA",
        ] {
            let answer = try await browser.get(address)
            #expect(answer.status == .badRequest, "\(address)")
            #expect(answer.text.contains("is not valid for this list"), "\(address)")
        }
    }

    @Test("disabling ends sessions, is said in the audit trail with who did it, and is undone")
    func disable() async throws {
        let house = try await ConsoleHouse()
        var anna = try await house.pages.registered("anna")
        var browser = try await house.administrator(.support)
        let id = try await house.pages.person("anna").id
        let answer = try await browser.submit("\(people)/\(id)/disable", [:])
        #expect(answer.location == "\(people)/\(id)?done=disabled")
        #expect(try await anna.get("/account").status == .seeOther)
        let page = try await browser.get("\(people)/\(id)?done=disabled").text
        #expect(page.contains("data-action=\"enable\"") && page.contains("enable it again"))
        #expect(page.contains("anna"))
        var filter = AuditFilter()
        filter.action = "admin.person.update"
        let events = try await house.store.auditLog.auditEvents(filter, before: nil, limit: 5)
        let olga = try await house.pages.person("olga").id
        #expect(events.contains { $0.details.contains("\"by\":\"\(olga)\"") })
        _ = try await browser.submit("\(people)/\(id)/enable", [:])
        #expect(try await house.store.people.person(id)?.disabled == false)
    }

    @Test("a form for an unknown person does not create one")
    func nobody() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        for act in ["disable", "enable", "sign-out", "entitlements", "re-registration", "remove"] {
            _ = try await browser.get("/console")
            let answer = try await browser.submit("\(people)/ghost/\(act)", [:])
            #expect(answer.status == .notFound, "\(act)")
        }
        #expect(try await house.store.people.person(username: "ghost", in: house.home.id) == nil)
    }

    @Test("signing out everywhere ends sessions; a recovery link is displayed once")
    func help() async throws {
        let house = try await ConsoleHouse()
        var anna = try await house.pages.registered("anna")
        var browser = try await house.administrator(.projectAdministrator)
        let answer = try await browser.submit("\(people)/anna/sign-out", [:])
        #expect(answer.location == "\(people)/anna?done=signedOut")
        #expect(try await anna.get("/account").status == .seeOther)
        let link = try await browser.submit("\(people)/anna/re-registration", [:])
        #expect(link.status == .ok && link.text.contains("/reregister?token="))
        #expect(!(try await browser.get("\(people)/anna").text.contains("/reregister?token=")))
    }

    @Test("entitlements are given as a set and as JSON; anything else is refused and kept out")
    func entitlements() async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        var browser = try await house.administrator(.owner)
        let sets = "/console/projects/default/entitlement-sets"
        let saved = try await browser.submit(
            sets + "/save", ["name": "gold", "entitlements": #"{"vaults":10}"#])
        #expect(saved.location == sets + "?done=saved")
        _ = try await browser.get(people + "/bea")
        let given = try await browser.submit(
            people + "/bea/entitlements", ["set": "gold", "explicit": #"{"export":true}"#])
        #expect(given.location == people + "/bea?done=saved")
        let page = try await browser.get(people + "/bea").text
        #expect(page.contains("vaults") && page.contains("export"))
        for (set, explicit) in [
            ("silver", "{}"), ("gold", "["), ("gold", #"{"a":-1}"#), ("gold", "1"),
        ] {
            let answer = try await browser.submit(
                people + "/bea/entitlements", ["set": set, "explicit": explicit])
            #expect(answer.status.code >= 400 && answer.status.code < 500, "\(set) \(explicit)")
        }
        let refused = try await browser.submit(sets + "/gold/remove", [:])
        #expect(
            refused.status == .conflict
                && refused.text.contains("This entitlement set is assigned to people"))
    }

    @Test("the page of a person shows their sign-in methods, sessions and events, and no secret")
    func detail() async throws {
        let house = try await ConsoleHouse()
        _ = try await house.pages.registered("anna")
        var browser = try await house.administrator(.auditor)
        let page = try await browser.get(people + "/anna").text
        for word in ["Password", "Firefox on Linux", "192.0.2.1", "registration."] {
            #expect(page.contains(word), "\(word)")
        }
        #expect(!page.contains("argon2"))
        // An auditor is offered nothing to press but the search.
        #expect(!page.contains("method=\"post\""))
    }
}
