// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// What begins so is found in lists that may be long, and every page of them costs the same.
@Suite struct ConsoleSearchTests {
    private let root = "/console/projects/default"

    /// The rows of a page: what their first links say.
    private func names(_ answer: Answer) -> [String] {
        answer.text.matches(of: /<td[^>]*>\s*<a href="[^"]*">([^<]*)<\/a>/)
            .map { String($0.output.1) }
    }

    private func next(_ answer: Answer) -> String? {
        answer.text.firstMatch(of: /href="([^"]*cursor=[^"]*)" rel="next"/).map {
            String($0.output.1).replacing("&amp;", with: "&").replacing("&#x3D;", with: "=")
        }
    }

    @Test("clients, groups, members and test keys are found by how they begin")
    func beginnings() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        for name in ["shop", "shop-two", "wiki"] { try await house.client(name) }
        for (name, group) in [("bea", "staff"), ("ben", "staff"), ("carl", "stage")] {
            try await house.person(name)
            _ = try await browser.get(root + "/groups")
            _ = try await browser.submit(root + "/groups", ["group": group, "person": name])
        }
        for name in ["ci", "nightly"] {
            _ = try await browser.get(root + "/test-keys")
            _ = try await browser.submit(
                root + "/test-keys/create", ["name": name, "alg": "ES256"])
        }
        func found(_ path: String) async throws -> [String] {
            let answer = try await browser.get(root + path)
            #expect(answer.status == .ok && answer.text.contains("name=\"search\""), "\(path)")
            return names(answer)
        }
        #expect(try await found("/clients?search=shop") == ["The shop", "The shop-two"])
        #expect(try await found("/clients?search=hop").isEmpty)
        #expect(try await found("/groups?search=sta") == ["staff", "stage"])
        #expect(try await found("/groups?search=staf") == ["staff"])
        #expect(try await found("/groups/staff?search=BE") == ["bea", "ben"])
        #expect(try await found("/groups/staff?search=bea") == ["bea"])
        #expect(try await found("/groups/staff?search=carl").isEmpty)
        let keys = try await browser.get(root + "/test-keys?search=ni").text
        #expect(keys.contains("nightly") && !keys.contains(">ci<"))
        browser.language = "de"
        let none = try await browser.get(root + "/clients?search=zebra").text
        #expect(none.contains("Keine Ergebnisse.") && none.contains("value=\"zebra\""))
    }

    @Test("machines are found by serial number, by name when none begins so, page by page")
    func machines() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        for number in 1...60 {
            _ = try await house.machine(of: bea, serial: "C02X\(100 + number)")
        }
        _ = try await house.machine(of: bea, serial: "F17")
        var browser = try await house.administrator(.support)
        let one = try await browser.get(root + "/devices?search=f1").text
        #expect(one.contains("F17") && !one.contains("C02X"))
        let first = try await browser.get(root + "/devices?search=c02x")
        #expect(names(first).count == 50 && first.text.contains("C02X101"))
        let second = try await browser.get(try #require(next(first)))
        #expect(names(second).count == 10 && next(second) == nil)
        #expect(second.text.contains("C02X160") && !second.text.contains("C02X101"))
        // All are called so, and none has such a serial number.
        let named = try await browser.get(root + "/devices?search=BEA%27s")
        #expect(names(named).count == 50)
        #expect(names(try await browser.get(try #require(next(named)))).count == 11)
        // A cursor of one search is of no use in another.
        let cursor = try #require(next(first)?.firstMatch(of: /cursor=([^&]*)/)?.output.1)
        for path in ["/devices?search=f1&cursor=\(cursor)", "/devices?cursor=\(cursor)"] {
            #expect(try await browser.get(root + path).status == .badRequest, "\(path)")
        }
        // Another project has none of them.
        let elsewhere = "/console/projects/qa/devices?search=c02x"
        var owner = try await house.administrator(.owner, named: "otto")
        #expect(names(try await owner.get(elsewhere)).isEmpty)
    }

    private func add(
        _ label: String, serial: String? = nil, to house: ConsoleHouse
    ) async throws {
        let (now, random) = (house.pages.clock.now, SystemRandomSource())
        try await house.store.devices.save(
            RegistrationToken(
                id: Identifier(now: now, random: random), project: house.home.id,
                hash: random.bytes(32), label: label, serial: serial, createdAt: now,
                expiresAt: now + .days(7)))
    }

    @Test("registration tokens are found by label, by serial number when none begins so")
    func tokens() async throws {
        let house = try await ConsoleHouse()
        for number in 1...60 { try await add("Fleet \(100 + number)", to: house) }
        try await add("Attic", serial: "C02X1", to: house)
        var browser = try await house.administrator(.owner)
        let list = root + "/registration-tokens"
        let first = try await browser.get(list + "?search=fleet")
        #expect(first.text.contains("Fleet 101") && first.text.contains("Fleet 150"))
        #expect(!first.text.contains("Fleet 151") && !first.text.contains("Attic"))
        let second = try await browser.get(try #require(next(first)))
        #expect(second.text.contains("Fleet 151") && second.text.contains("Fleet 160"))
        #expect(!second.text.contains("Fleet 150") && next(second) == nil)
        for search in ["attic", "c02x"] {
            let one = try await browser.get(list + "?search=\(search)")
            #expect(one.text.contains("Attic") && !one.text.contains("Fleet 1"), "\(search)")
        }
        let none = try await browser.get(list + "?search=zebra").text
        #expect(none.contains("value=\"zebra\"") && !none.contains("Attic"))
        // A cursor of one search is of no use in another.
        let cursor = try #require(next(first)?.firstMatch(of: /cursor=([^&]*)/)?.output.1)
        let elsewhere = try await browser.get(list + "?search=attic&cursor=\(cursor)")
        #expect(elsewhere.status == .badRequest)
    }

    /// Reads of the store, page for page, from the first to the last.
    private func costs(
        _ house: ConsoleHouse, _ browser: inout Browser, _ path: String
    ) async throws -> [Int] {
        var costs: [Int] = []
        var place: String? = root + path
        while let page = place, costs.count < 20 {
            var answer: Answer?
            let counts = try await house.engine.count { answer = try await browser.get(page) }
            #expect(answer?.status == .ok && counts.writes == 0, "\(page)")
            costs.append(counts.reads)
            place = answer.flatMap(next)
        }
        return costs
    }

    @Test("every page of a long list costs a fixed number of reads")
    func fixedCost() async throws {
        let house = try await ConsoleHouse()
        for number in 1...120 {
            var person = try await house.person("p\(1000 + number)")
            person.claims.groups = ["staff", "g\(1000 + number)"]
            #expect(try await house.store.people.update(person, now: house.pages.clock.now))
            try await house.client("c\(1000 + number)")
            try await add("t\(1000 + number)", to: house)
            _ = try await house.machine(of: person, serial: "C\(1000 + number)")
            try await house.pages.provider.audit.record(
                AuditEventDraft(
                    "sign-in.password", in: house.home.id,
                    facts: RequestMetadata(
                        now: house.pages.clock.now, requestID: "r", address: "192.0.2.1"),
                    person: person.id))
        }
        var browser = try await house.administrator(.owner)
        for path in [
            "/people", "/people?search=p", "/devices", "/devices?search=c", "/clients",
            "/clients?search=c", "/groups", "/groups?search=g", "/groups/staff",
            "/groups/staff?search=p", "/audit", "/audit?action=sign-in.", "/registration-tokens",
            "/registration-tokens?search=t",
        ] {
            let found = try await costs(house, &browser, path)
            #expect(found.count >= 3, "\(path)")
            // Where the user names end, people are looked up by their other names as well.
            let others = path == "/people?search=p" ? 1 : 0
            let ends = Set([found[0], found[0] + others])
            #expect(
                Set(found.dropLast()).count == 1 && ends.contains(found[found.count - 1])
                    && found.allSatisfy { $0 <= 7 }, "\(path): \(found)")
        }
    }

    @Test("the preview of a set's people has a constant cost")
    func entitlementPeople() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        _ = try await browser.submit(
            root + "/entitlement-sets/save", ["name": "gold", "entitlements": "{}"])
        let page = root + "/entitlement-sets/gold/people"
        func cost() async throws -> CountingEngine.Counts {
            _ = try await browser.get(page)
            return try await house.engine.count {
                let answer = try await browser.submit(
                    page + "/preview", ["way": "give", "search": "p"])
                #expect(answer.status == .ok)
            }
        }
        for number in 1...10 { try await house.person("p\(1000 + number)") }
        let few = try await cost()
        for number in 11...250 { try await house.person("p\(1000 + number)") }
        #expect(try await cost() == few && few.writes == 0)
    }
}
