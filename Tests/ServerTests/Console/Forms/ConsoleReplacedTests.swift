// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import Storage
import Testing

/// A set or sequence that was replaced by name is restored by the same administrator, once.
@Suite struct ConsoleReplacedTests {
    private static let root = "/console/projects/default"
    private var root: String { Self.root }
    private let house: ConsoleHouse

    init() async throws { house = try await ConsoleHouse() }

    /// A set or a sequence, and three values of it.
    struct Kind: Sendable, CustomTestStringConvertible {
        var form: String
        var member: String
        var texts: [String]

        var testDescription: String { form }
    }

    private static let kinds = [
        Kind(
            form: "/entitlement-sets/save", member: "entitlements",
            texts: [#"{"sms": 5, "export": true}"#, #"{"sms": 7}"#, #"{"sms": 9}"#]),
        Kind(
            form: "/entitlement-sequences/save", member: "steps",
            texts: ["basic = 30d\nmore", "basic", "more"]),
    ]

    private func owner(_ name: String = "olga") async throws -> Browser {
        var browser = try await house.administrator(.owner, named: name)
        for set in ["basic", "more"] {
            _ = try await browser.submit(
                root + "/entitlement-sets/save", ["name": set, "entitlements": "{}"])
        }
        return browser
    }

    private func save(
        _ kind: Kind, _ text: Int, _ browser: inout Browser
    ) async throws -> Answer {
        try await browser.submit(root + kind.form, ["name": "gold", kind.member: kind.texts[text]])
    }

    private func kept(_ kind: Kind) async throws -> String? {
        let store = house.store
        guard kind.member == "steps" else {
            return try await store.entitlements.entitlementSet(named: "gold", in: house.home.id)?
                .entitlements
        }
        let sequence = try await store.entitlements.entitlementSequence(
            named: "gold", in: house.home.id)
        return sequence.map { "\($0.steps)" }
    }

    @Test("a replaced resource is restored unchanged, once", arguments: kinds)
    func putBack(_ kind: Kind) async throws {
        var browser = try await owner()
        // What is made has nothing before it.
        #expect(try await save(kind, 0, &browser).status == .seeOther)
        let list = root + "/entitlement-sets"
        #expect(try await !browser.get(list).text.contains("data-action=\"put-back\""))
        let before = try await kept(kind)
        // What stays the same has nothing to undo.
        #expect(try await save(kind, 0, &browser).status == .seeOther)
        #expect(try await !browser.get(list).text.contains("data-action=\"put-back\""))
        let done = try await save(kind, 1, &browser)
        #expect(done.location == list + "?done=replaced")
        #expect(try await kept(kind) != before)
        let page = try await browser.get(list + "?done=saved").text
        #expect(page.contains("“gold” was replaced.") && page.contains("data-action=\"put-back\""))
        let back = try await browser.submit(root + "/put-back", [:])
        #expect(back.location == list + "?done=putBack")
        #expect(try await kept(kind) == before && before != nil)
        var filter = AuditFilter()
        filter.action = "admin.removal.undo"
        #expect(
            try await house.store.auditLog.auditEvents(filter, before: nil, limit: 9).count == 1)
        #expect(try await browser.submit(root + "/put-back", [:]).status == .conflict)
    }

    @Test("a later change stays, and a deleted resource stays deleted", arguments: kinds)
    func changedSince(_ kind: Kind) async throws {
        var browser = try await owner()
        _ = try await save(kind, 0, &browser)
        _ = try await save(kind, 1, &browser)
        var paul = try await house.administrator(.owner, named: "paul")
        _ = try await save(kind, 2, &paul)
        let theirs = try await kept(kind)
        let refused = try await browser.submit(root + "/put-back", [:])
        #expect(refused.status == .preconditionFailed)
        #expect(refused.text.contains("The entry has been changed since."))
        #expect(try await kept(kind) == theirs)
        // Their own change they take back: the offer is theirs alone.
        #expect(try await paul.submit(root + "/put-back", [:]).status == .seeOther)
        #expect(try await kept(kind) != theirs)
        // Then her version is current again, until it is removed.
        let removal = root + kind.form.replacing("/save", with: "/gold/remove")
        _ = try await paul.get(removal)
        _ = try await paul.submit(removal, [:])
        #expect(try await kept(kind) == nil)
        let gone = try await browser.submit(root + "/put-back", [:])
        #expect(gone.status == .preconditionFailed)
        #expect(try await kept(kind) == nil)
    }

    @Test("of a change at the same moment one is kept, and it is not undone", arguments: kinds)
    func atOnce(_ kind: Kind) async throws {
        var browser = try await owner()
        _ = try await save(kind, 0, &browser)
        _ = try await save(kind, 1, &browser)
        var paul = try await house.administrator(.owner, named: "paul")
        let other = paul
        house.engine.interrupt(
            CountingEngine.transaction,
            by: [
                {
                    var paul = other
                    let form = ["name": "gold", kind.member: kind.texts[2]]
                    _ = try await paul.submit(Self.root + kind.form, form)
                }
            ])
        let refused = try await browser.submit(root + "/put-back", [:])
        #expect(refused.status == .preconditionFailed)
        let kept = try await kept(kind)
        _ = try await save(kind, 2, &paul)
        #expect(try await self.kept(kind) == kept)
    }

    @Test("another person has no such offer, nor an administrator without the right")
    func others() async throws {
        let kind = Self.kinds[0]
        var browser = try await owner()
        _ = try await save(kind, 0, &browser)
        _ = try await save(kind, 1, &browser)
        let replaced = try await kept(kind)
        var paul = try await house.administrator(.owner, named: "paul")
        paul.cookies["gatehouse-console-removed"] = browser.cookies["gatehouse-console-removed"]
        #expect(try await paul.submit(root + "/put-back", [:]).status == .conflict)
        try await house.give(.auditor, to: "olga")
        #expect(try await kept(kind) == replaced)
        let refused = try await browser.submit(root + "/put-back", [:])
        #expect(refused.status == .conflict || refused.status == .forbidden)
        #expect(try await kept(kind) == replaced)
    }
}
