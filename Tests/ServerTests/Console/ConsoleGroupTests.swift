// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import Storage
import Support
import Testing

/// Groups in the console: listed, looked at, joined and left.
@Suite struct ConsoleGroupTests {
    private let groups = "/console/projects/default/groups"

    private func members(_ house: ConsoleHouse, _ group: String) async throws -> [String] {
        try await house.store.groups.members(of: group, in: house.home.id, after: nil, limit: 200)
            .map(\.username)
    }

    @Test("a group begins with its first member; its members join and leave")
    func changes() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        try await house.person("carl")
        var browser = try await house.administrator(.owner)
        #expect(try await browser.get(groups).text.contains("There are no groups"))
        let group = "a/b & <c>"
        let address = groups + "/a%2Fb%20%26%20%3Cc%3E"
        let begun = try await browser.submit(groups, ["group": " \(group) ", "person": "bea"])
        #expect(begun.location == address + "?done=joined")
        _ = try await browser.get(address)
        let joined = try await browser.submit(address + "/add", ["person": "carl"])
        #expect(joined.location == address + "?done=joined")
        let page = try await browser.get(address).text
        #expect(page.contains("a/b &amp; &lt;c&gt;") && !page.contains("<c>"))
        #expect(page.contains("<option value=\"\(bea.id)\""))
        #expect(try await members(house, group) == ["bea", "carl"])
        let left = try await browser.submit(address + "/remove", ["person": bea.id.description])
        #expect(left.location == address + "?done=left")
        #expect(try await members(house, group) == ["carl"])
        #expect(try await browser.get(groups).text.contains("href=\"\(address)\""))
    }

    @Test("an unknown person, or a group without a name, is refused")
    func refusals() async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        var browser = try await house.administrator(.owner)
        browser.language = "de"
        _ = try await browser.get(groups)
        let nobody = try await browser.submit(groups, ["group": "staff", "person": "ghost"])
        #expect(nobody.status == .notFound && nobody.text.contains("value=\"staff\""))
        for name in ["", String(repeating: "n", count: 256), "a\nb"] {
            let answer = try await browser.submit(groups, ["group": name, "person": "bea"])
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("1 bis 255 Zeichen in einer Zeile"))
        }
        let left = try await browser.submit(groups + "/staff/remove", ["person": "ghost"])
        #expect(left.status == .notFound)
        #expect(
            try await house.store.groups.groups(of: house.home.id, after: nil, limit: 9).isEmpty)
    }

    @Test("the list of groups shows how many members a group has, and 1000+ for more")
    func counts() async throws {
        let house = try await ConsoleHouse()
        try await house.store.addMembers(1...1001, of: "all", in: house.home)
        var browser = try await house.administrator(.support)
        var answer: Answer?
        let cost = try await house.engine.count { answer = try await browser.get(groups) }
        #expect(cost == CountingEngine.Counts(reads: 4, writes: 0))
        let page = try #require(answer).text
        #expect(page.contains("1000+"))
    }

    @Test("a read-only role is offered no buttons")
    func looking() async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        var owner = try await house.administrator(.owner)
        _ = try await owner.submit(groups, ["group": "staff", "person": "bea"])
        var browser = try await house.administrator(.auditor, named: "udo")
        for path in [groups, groups + "/staff"] {
            let page = try await browser.get(path).text
            #expect(page.contains("staff") && !page.contains("method=\"post\""), "\(path)")
        }
    }

    @Test("a person with a wider role cannot be added to a group")
    func higherRole() async throws {
        let house = try await ConsoleHouse()
        _ = try await house.administrator(.owner)
        var browser = try await house.administrator(
            .projectAdministrator, in: house.home, named: "paul")
        let answer = try await browser.submit(groups, ["group": "staff", "person": "olga"])
        #expect(answer.status == .forbidden)
        #expect(try await members(house, "staff").isEmpty)
    }

    @Test("a page of members costs the same at the beginning and at the end")
    func cost() async throws {
        let house = try await ConsoleHouse()
        for number in 1...160 {
            var person = try await house.person("p\(1000 + number)")
            person.claims.groups = ["staff"]
            #expect(try await house.store.people.update(person, now: house.pages.clock.now))
        }
        var browser = try await house.administrator(.support)
        var path: String? = groups + "/staff"
        var costs: [CountingEngine.Counts] = []
        var names: [Substring] = []
        while let next = path {
            var answer: Answer?
            costs.append(try await house.engine.count { answer = try await browser.get(next) })
            let page = try #require(answer).text
            names += page.matches(of: /">(p1\d\d\d)<\/a>/).map(\.output.1)
            path = page.firstMatch(of: /href="([^"]*cursor=[^"]*)" rel="next"/)
                .map { String($0.output.1) }
        }
        #expect(names == (1...160).map { Substring("p\(1000 + $0)") })
        #expect(costs.count == 4)
        #expect(costs.allSatisfy { $0 == CountingEngine.Counts(reads: 4, writes: 0) }, "\(costs)")
    }
}
