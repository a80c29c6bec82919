// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import Storage
import Support
import Testing

@testable import AdminConsole

/// A removed resource is restored completely, once, by the same administrator, and does not replace
/// another.
@Suite struct ConsoleRestoreTests {
    private static let root = "/console/projects/default"
    private static let cookie = "gatehouse-console-removed"
    private static let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")

    private var root: String { Self.root }

    /// A resource that can be restored: the form that creates it, and the route that removes it.
    struct Kind: Sendable, CustomTestStringConvertible {
        var operation: AdministrativeOperation
        var form: String
        var fields: [String: String]
        /// `nil` if it is named by a generated identifier.
        var removal: String?
        var list: String
        var name: String

        var testDescription: String { operation.rawValue }
    }

    private static let things: [Kind] = [
        Kind(
            operation: .removeEntitlementSet, form: "/entitlement-sets/save",
            fields: ["name": "gold", "entitlements": #"{"sms": 5, "export": true}"#],
            removal: "/entitlement-sets/gold/remove", list: "/entitlement-sets", name: "gold"),
        Kind(
            operation: .removeEntitlementSequence, form: "/entitlement-sequences/save",
            fields: ["name": "trial", "steps": "basic = 30d"],
            removal: "/entitlement-sequences/trial/remove", list: "/entitlement-sets",
            name: "trial"),
        Kind(
            operation: .removeSigningFingerprint, form: "/fingerprints/apps/create",
            fields: [
                "kind-of-entry": "apps", "package": "com.example.notes",
                "fingerprints": fingerprint,
            ],
            removal: "/fingerprints/apps/com.example.notes/remove", list: "/fingerprints",
            name: "com.example.notes"),
        Kind(
            operation: .removeApplicationRule, form: "/versions/applications/create",
            fields: [
                "kind-of-entry": "applications", "id": "com.example.notes",
                "minimum_version": "2.0", "blocked_versions": "2.5.1",
            ],
            removal: "/versions/applications/com.example.notes/remove", list: "/versions",
            name: "com.example.notes"),
        Kind(
            operation: .removeSystemRule, form: "/versions/systems/create",
            fields: ["kind-of-entry": "systems", "name": "ios", "minimum_version": "17.1"],
            removal: "/versions/systems/ios/remove", list: "/versions", name: "ios"),
        Kind(
            operation: .removeCustomIdentityProvider, form: "/identity-providers/custom/create",
            fields: [
                "kind-of-entry": "custom", "id": "club", "name": "The Club",
                "url": "https://club.example/gatehouse", "two_step": "1",
            ],
            removal: "/identity-providers/custom/club/remove", list: "/identity-providers",
            name: "club"),
        Kind(
            operation: .removeIssuerKey, form: "/issuer-keys/create",
            fields: ["issuer": "acme-idp", "kid": "k1", "alg": "ES256"], removal: nil,
            list: "/issuer-keys", name: "k1"),
    ]

    private static let set = things[0]

    /// Makes one; where it is removed.
    private func make(
        _ kind: Kind, _ house: ConsoleHouse, _ browser: inout Browser
    ) async throws -> String {
        var fields = kind.fields
        if kind.operation == .removeIssuerKey {
            fields["public_key"] = try PrivateJWK.generate(for: .es256).publicKey.json.text
        }
        if kind.operation == .removeEntitlementSequence {
            _ = try await browser.submit(
                root + "/entitlement-sets/save", ["name": "basic", "entitlements": "{}"])
        }
        _ = try await browser.get(root)
        let made = try await browser.submit(root + kind.form, fields)
        #expect(made.status == .seeOther, "\(kind)")
        if let removal = kind.removal { return root + removal }
        let keys = try await house.store.issuerKeys.issuerKeys(of: house.home.id, kind: .federation)
        return "\(root)/issuer-keys/\(try #require(keys.first).id)/remove"
    }

    /// What `gatehouse export` says of the project.
    private func document(_ house: ConsoleHouse) async throws -> JSONValue {
        try await StateExport(house.pages.provider).document(project: "default")
    }

    private func events(_ house: ConsoleHouse) async throws -> [AuditEvent] {
        var filter = AuditFilter()
        filter.action = "admin.removal.undo"
        return try await house.store.auditLog.auditEvents(filter, before: nil, limit: 9)
    }

    @Test("the kinds in this test are those that the table marks as restorable")
    func kinds() {
        let undone = AdministrativeOperation.allCases.filter {
            if case .undo = ConsoleRemovalRule($0) { true } else { false }
        }
        #expect(Set(undone) == Set(Self.things.map(\.operation) + [.removeGroupMember]))
    }

    @Test("a removed resource is restored unchanged, once", arguments: things)
    func putBack(_ kind: Kind) async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let removal = try await make(kind, house, &browser)
        let before = try await document(house)
        let page = try await browser.get(removal)
        #expect(page.text.contains("You can undo this for ten minutes."))
        #expect(!page.text.contains("name=\"confirmation\""))
        let gone = try await browser.submit(removal, [:])
        let done = try #require(gone.location)
        #expect(done.hasPrefix(root + kind.list + "?done="))
        #expect(try await document(house) != before)
        let notice = try await browser.get(done).text
        #expect(notice.contains("“\(kind.name)” was removed."))
        // Once, with the restore button.
        #expect(notice.split(separator: " was removed.").count == 2)
        #expect(notice.contains("data-action=\"put-back\""))
        let back = try await browser.submit(root + "/put-back", [:])
        #expect(back.location == root + kind.list + "?done=putBack")
        #expect(try await document(house) == before)
        let after = try await browser.get(root + kind.list).text
        #expect(!after.contains("data-action=\"put-back\""))
        let olga = try await house.pages.person("olga").id
        let events = try await events(house)
        #expect(events.count == 1)
        #expect(events.first?.details.contains("\"call\":\"\(kind.operation.rawValue)\"") == true)
        #expect(events.first?.details.contains("\"by\":\"\(olga)\"") == true)
        #expect(try await browser.submit(root + "/put-back", [:]).status == .conflict)
    }

    @Test("an old offer does not restore a resource that was removed again")
    func replay() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let removal = try await make(Self.set, house, &browser)
        _ = try await browser.submit(removal, [:])
        let handle = browser.cookies[Self.cookie]
        _ = try await browser.submit(root + "/put-back", [:])
        var pia = try await house.administrator(.owner, named: "pia")
        _ = try await pia.submit(removal, [:])
        browser.cookies[Self.cookie] = handle
        #expect(try await !browser.get(root).text.contains("data-action=\"put-back\""))
        #expect(try await browser.submit(root + "/put-back", [:]).status == .conflict)
        #expect(try await house.store.entitlements.entitlementSets(of: house.home.id).isEmpty)
    }

    @Test("another person, another project and a forged offer restore nothing")
    func elsewhere() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let removal = try await make(Self.set, house, &browser)
        _ = try await browser.submit(removal, [:])
        let handle = try #require(browser.cookies[Self.cookie])
        var pia = try await house.administrator(.owner, named: "pia")
        pia.cookies[Self.cookie] = handle
        #expect(try await !pia.get(root).text.contains("data-action=\"put-back\""))
        #expect(try await pia.submit(root + "/put-back", [:]).status == .conflict)
        let qa = "/console/projects/qa"
        #expect(try await !browser.get(qa).text.contains("data-action=\"put-back\""))
        #expect(try await browser.submit(qa + "/put-back", [:]).status == .conflict)
        for wrong in [
            "AAAA", handle + "A", String(handle.dropLast()), String(repeating: "A", count: 99),
        ] {
            browser.cookies[Self.cookie] = wrong
            #expect(try await browser.submit(root + "/put-back", [:]).status == .conflict)
        }
        #expect(try await house.store.entitlements.entitlementSets(of: house.home.id).isEmpty)
        #expect(try await events(house).isEmpty)
    }

    @Test("an administrator without the right is offered nothing, and restores nothing")
    func lesserRole() async throws {
        let house = try await ConsoleHouse()
        _ = try await house.administrator(.owner)
        var browser = try await house.administrator(
            .projectAdministrator, in: house.home, named: "pia")
        let removal = try await make(Self.set, house, &browser)
        _ = try await browser.submit(removal, [:])
        #expect(try await browser.get(root).text.contains("data-action=\"put-back\""))
        try await house.give(.developer, to: "pia", in: house.home)
        let page = try await browser.get(root)
        #expect(page.status == .ok && !page.text.contains("data-action=\"put-back\""))
        #expect(try await browser.submit(root + "/put-back", [:]).status == .conflict)
        #expect(try await house.store.entitlements.entitlementSets(of: house.home.id).isEmpty)
    }

    @Test(
        "a new resource of the same name stays, and can be removed; then the offer is still valid")
    func inTheWay() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let removal = try await make(Self.set, house, &browser)
        let before = try await document(house)
        _ = try await browser.submit(removal, [:])
        var pia = try await house.administrator(.owner, named: "pia")
        _ = try await pia.submit(
            root + "/entitlement-sets/save", ["name": "gold", "entitlements": #"{"sms": 1}"#])
        _ = try await browser.get(root)
        let refused = try await browser.submit(root + "/put-back", [:])
        #expect(
            refused.status == .conflict && refused.text.contains("Another entry with this name"))
        #expect(refused.text.contains("data-action=\"put-back\""))
        let kept = try await house.store.entitlements.entitlementSets(of: house.home.id)
        #expect(kept.map(\.entitlements) == [#"{"sms":1}"#])
        _ = try await pia.submit(removal, [:])
        #expect(try await browser.submit(root + "/put-back", [:]).status == .seeOther)
        #expect(try await projectPart(document(house)) == projectPart(before))
    }

    /// Returns the document without the people, because there is a new person.
    private func projectPart(_ document: JSONValue) -> JSONObject? {
        var project = document["projects"]?.array?.first?.object
        project?["users"] = nil
        return project
    }

    private func signIn(_ house: ConsoleHouse) async throws -> Browser {
        var browser = house.pages.browser()
        _ = try await browser.get("/sign-in?next=console")
        _ = try await browser.submit(
            "/sign-in",
            ["username": "olga", "password": "correct horse battery staple", "next": "console"])
        // Whose forms have a token.
        _ = try await browser.get("/account")
        return browser
    }

    @Test("after five minutes a sign-in is asked for, in whose session the offer still holds")
    func late() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let removal = try await make(Self.set, house, &browser)
        _ = try await browser.submit(removal, [:])
        house.pages.clock.advance(by: .minutes(6))
        #expect(try await browser.get(root).text.contains("data-action=\"put-back\""))
        let asked = try await browser.submit(root + "/put-back", [:])
        #expect(asked.location == "/sign-in?next=resume&again=1")
        var again = try await signIn(house)
        again.cookies[Self.cookie] = browser.cookies[Self.cookie]
        #expect(try await again.get(root).text.contains("data-action=\"put-back\""))
        let back = try await again.submit(root + "/put-back", [:])
        #expect(back.location == root + "/entitlement-sets?done=putBack")
        #expect(try await house.store.entitlements.entitlementSets(of: house.home.id).count == 1)
    }

    @Test("after ten minutes there is nothing to restore")
    func tooLate() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let removal = try await make(Self.set, house, &browser)
        _ = try await browser.submit(removal, [:])
        house.pages.clock.advance(by: .minutes(10))
        var again = try await signIn(house)
        again.cookies[Self.cookie] = browser.cookies[Self.cookie]
        #expect(try await !again.get(root).text.contains("data-action=\"put-back\""))
        #expect(try await again.submit(root + "/put-back", [:]).status == .conflict)
        #expect(try await house.store.entitlements.entitlementSets(of: house.home.id).isEmpty)
    }

    @Test("what was not removed is not offered")
    func refused() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        var browser = try await house.administrator(.owner)
        let removal = try await make(Self.set, house, &browser)
        _ = try await browser.get("\(root)/people/\(bea.id)")
        _ = try await browser.submit(
            "\(root)/people/\(bea.id)/entitlements", ["set": "gold", "explicit": "{}"])
        #expect(try await browser.submit(removal, [:]).status == .conflict)
        #expect(browser.cookies[Self.cookie] == nil)
        _ = try await browser.get(root)
        let unknown = try await browser.submit(root + "/entitlement-sets/silver/remove", [:])
        #expect(unknown.status == .notFound && browser.cookies[Self.cookie] == nil)
    }

    @Test(
        "a sequence whose set was deleted is not restored, and the page explains it, in German too")
    func missing() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let removal = try await make(Self.things[1], house, &browser)
        _ = try await browser.submit(removal, [:])
        var pia = try await house.administrator(.owner, named: "pia")
        _ = try await pia.submit(root + "/entitlement-sets/basic/remove", [:])
        browser.language = "de"
        let page = try await browser.get(root).text
        #expect(page.contains("„trial“ wurde entfernt.") && page.contains("Rückgängig machen"))
        let refused = try await browser.submit(root + "/put-back", [:])
        #expect(refused.status == .notFound)
        #expect(refused.text.contains("data-action=\"put-back\""))
        let gone = try await house.store.entitlements.entitlementSequence(
            named: "trial", in: house.home.id)
        #expect(gone == nil)
    }

    @Test("a removed member of a group is restored to it; a person who was not a member is not")
    func groups() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        try await house.person("carl")
        var browser = try await house.administrator(.owner)
        let staff = root + "/groups/staff"
        _ = try await browser.submit(root + "/groups", ["group": "staff", "person": "carl"])
        _ = try await browser.get(staff)
        _ = try await browser.submit(staff + "/remove", ["person": bea.id.description])
        #expect(browser.cookies[Self.cookie] == nil)
        _ = try await browser.submit(staff + "/add", ["person": "bea"])
        let left = try await browser.submit(staff + "/remove", ["person": bea.id.description])
        #expect(left.location == staff + "?done=left")
        func members() async throws -> [String] {
            try await house.store.groups.members(
                of: "staff", in: house.home.id, after: nil, limit: 9
            )
            .map(\.username)
        }
        #expect(try await members() == ["carl"])
        #expect(try await browser.get(staff).text.contains("“bea” was removed."))
        let back = try await browser.submit(root + "/put-back", [:])
        #expect(back.location == staff + "?done=putBack")
        #expect(try await members() == ["bea", "carl"])
    }

    @Test("the offer costs a page one read more, and only while there may be one")
    func cost() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let removal = try await make(Self.set, house, &browser)
        let list = root + "/issuer-keys"
        _ = try await browser.get(list)
        let before = try await house.engine.count { _ = try await browser.get(list) }
        _ = try await browser.submit(removal, [:])
        let after = try await house.engine.count { _ = try await browser.get(list) }
        #expect(after.reads == before.reads + 1 && after.writes == before.writes)
    }
}
