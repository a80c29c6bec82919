// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import Storage
import Support
import Testing

/// Sets of entitlements for many people at once.
@Suite struct BulkEntitlementTests {
    private let house: AdminHouse
    private let root = "/projects/default"

    init() async throws {
        house = try await AdminHouse()
        for set in ["gold", "basic"] {
            _ = try await house.call(
                .put, root + "/entitlement-sets/\(set)", body: ["entitlements": ["vaults": 1]])
        }
        for name in ["anna", "bea", "carl", "dora"] {
            _ = try await house.call(.put, root + "/people/\(name)", body: ["name": "N"])
        }
        _ = try await house.call(
            .put, root + "/entitlement-sequences/trial",
            body: ["steps": [["set": "basic", "duration": 60], ["set": "gold"]]])
        _ = try await house.call(
            .put, root + "/people/bea/entitlements",
            body: ["set": "basic", "explicit": ["export": true]])
        _ = try await house.call(
            .put, root + "/people/carl/entitlements", body: ["sequence": "trial"])
    }

    private func send(
        _ act: String, _ body: JSONValue, set: String = "gold"
    ) async throws -> AdminHouse.Answer {
        try await house.call(.post, "\(root)/entitlement-sets/\(set)/\(act)", body: body)
    }

    private func set(_ name: String) async throws -> JSONValue? {
        try await house.call(.get, "\(root)/people/\(name)/entitlements").body["set"]
    }

    private func outcomes(_ answer: AdminHouse.Answer) -> [JSONValue?] {
        answer.body["items"]?.array?.map { $0["outcome"] } ?? []
    }

    private func events() async throws -> Int {
        let page = try await house.call(.get, "/audit?action=admin.person.entitlements")
        return page.body["items"]?.array?.count ?? -1
    }

    @Test("a list is numbered in its order; a dry run says what the run then does")
    func list() async throws {
        let before = try await events()
        let people: JSONValue = ["dora", "nobody", "bea", "carl"]
        let dry = try await send("give", ["people": people, "dry_run": true])
        #expect(outcomes(dry) == ["changed", "unknown", "changed", "changed"])
        #expect(dry.body["items"]?.array?.map { $0["number"] } == [1, 2, 3, 4])
        #expect(dry.body["items"]?.array?[2]["set_before"] == "basic")
        #expect(dry.body["items"]?.array?[3]["sequence_before"] == "trial")
        #expect(try await set("dora") == nil)
        #expect(try await events() == before)
        let run = try await send("give", ["people": people])
        #expect(run.body["items"] == dry.body["items"] && run.body["changed"] == 3)
        for name in ["dora", "bea", "carl"] { #expect(try await set(name) == "gold", "\(name)") }
        #expect(try await events() == before + 3)
        // What is their own stays, and a second time changes nothing.
        let bea = try await house.call(.get, root + "/people/bea/entitlements")
        #expect(bea.body["explicit"] == ["export": true])
        let again = try await send("give", ["people": people])
        #expect(again.body["changed"] == 0)
        #expect(try await events() == before + 3)
    }

    @Test("a removal affects only people who have the set")
    func take() async throws {
        let answer = try await send(
            "take", ["people": ["anna", "bea", "carl"]], set: "basic")
        #expect(outcomes(answer) == ["unchanged", "changed", "unchanged"])
        #expect(try await set("bea") == nil)
        // A sequence that leads to the set is none.
        let carl = try await house.call(.get, root + "/people/carl/entitlements")
        #expect(carl.body["sequence"]?["name"] == "trial")
    }

    @Test("a filter goes on batch by batch, and reaches this project's people alone")
    func filter() async throws {
        _ = try await house.call(.put, "/projects/qa", body: [:])
        _ = try await house.call(.put, "/projects/qa/people/dave", body: ["name": "N"])
        var names: [String] = []
        var body: JSONValue = ["filter": [:], "limit": 2]
        while true {
            let answer = try await send("give", body)
            names += answer.body["items"]?.array?.compactMap { $0["name"]?.string } ?? []
            guard let next = answer.body["next"] else { break }
            body = ["filter": [:], "limit": 2, "cursor": next]
        }
        #expect(names == ["anna", "bea", "carl", "dora"])
        let none = try await send("give", ["filter": ["set": ""]])
        #expect(none.body["items"] == [])
        let some = try await send("take", ["filter": ["search": "d", "set": "gold"]])
        #expect(some.body["items"]?.array?.map { $0["name"] } == ["dora"])
    }

    @Test("a cursor of one question is of no use in another")
    func cursors() async throws {
        let first = try await send("give", ["filter": [:], "limit": 1, "dry_run": true])
        let cursor = try #require(first.body["next"])
        for (act, body, set) in [
            ("take", ["filter": [:], "cursor": cursor], "gold"),
            ("give", ["filter": ["search": "a"], "cursor": cursor], "gold"),
            ("give", ["filter": ["set": ""], "cursor": cursor], "gold"),
            ("give", ["filter": [:], "cursor": cursor], "basic"),
            ("give", ["filter": [:], "cursor": "AAAA"], "gold"),
        ] as [(String, JSONValue, String)] {
            #expect(try await send(act, body, set: set).code == "invalid_cursor")
        }
    }

    @Test(
        "what is not a list or a filter is refused, and changes no person",
        arguments: [
            ([:], "invalid_people"), (["people": []], "invalid_people"),
            (["people": "anna"], "invalid_people"), (["people": [7]], "invalid_people"),
            (["people": ["anna"], "filter": [:]], "invalid_people"),
            (["people": ["anna"], "cursor": "x"], "invalid_people"),
            (["filter": "all"], "invalid_people"), (["filter": ["name": "a"]], "invalid_people"),
            (["filter": ["set": 7]], "invalid_people"),
            (["filter": [:], "limit": 201], "invalid_people"),
            (["filter": [:], "limit": 0], "invalid_people"),
            (["filter": [:], "dry_run": "yes"], "invalid_people"),
            (["filter": [:], "surprise": 1], "invalid_people"),
            (["people": ["anna", "anna"]], "duplicate_person"),
            (["people": ["anna", "ANNA"]], "duplicate_person"),
        ] as [(JSONValue, String)])
    func misfits(_ body: JSONValue, _ code: String) async throws {
        let answer = try await send("give", body)
        #expect(answer.status == 422 && answer.code == code, "\(body.text)")
        #expect(try await set("anna") == nil)
    }

    @Test("an unknown set or project is refused")
    func unknown() async throws {
        let body: JSONValue = ["people": ["anna"]]
        #expect(try await send("give", body, set: "silver").code == "unknown_entitlement_set")
        let elsewhere = try await house.call(
            .post, "/projects/nowhere/entitlement-sets/gold/give", body: body)
        #expect(elsewhere.code == "unknown_project")
        let long = JSONValue.array((0..<201).map { .string("p\($0)") })
        #expect(try await send("give", ["people": long]).code == "invalid_people")
    }

    @Test("in the console what would change is shown first, and then done")
    func console() async throws {
        let house = try await ConsoleHouse()
        for name in ["bea", "carl"] { try await house.person(name) }
        try await house.store.entitlements.save(
            EntitlementSet(
                project: house.home.id, name: "gold", entitlements: "{}",
                createdAt: house.pages.clock.now))
        var browser = try await house.administrator(.support)
        let path = "/console/projects/default/entitlement-sets/gold/people"
        #expect(try await browser.get(path).text.contains("data-action=\"preview\""))
        #expect(
            try await browser.get(path.replacing("gold", with: "silver")).status == .notFound)
        _ = try await browser.get(path)
        let fields = ["way": "give", "people": "bea\r\nnobody\r\n"]
        let preview = try await browser.submit(path + "/preview", fields)
        #expect(
            preview.text.contains("To be changed: 1") && preview.text.contains("unknown username"))
        #expect(preview.text.contains("data-action=\"apply\""))
        let bea = try await house.pages.person("bea").id
        func given() async throws -> String? {
            try await house.store.entitlements.entitlements(of: bea, now: house.pages.clock.now)?
                .set
        }
        #expect(try await given() == "")
        let applied = try await browser.submit(path + "/apply", fields)
        #expect(applied.text.contains("Changed: 1"))
        #expect(try await given() == "gold")
        let twice = try await browser.submit(
            path + "/preview", ["way": "give", "people": "bea\nBea"])
        #expect(twice.status == .unprocessableContent)
        #expect(twice.text.contains("listed twice") && twice.text.contains("bea\nBea"))
    }
}
