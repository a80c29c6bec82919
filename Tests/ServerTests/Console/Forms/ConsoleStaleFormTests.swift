// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import Storage
import Support
import Testing

/// A page of one administrator stays open while another changes the same resource.
@Suite struct ConsoleStaleFormTests {
    private let root = "/console/projects/default"

    private func policy(_ house: ConsoleHouse) async throws -> ProjectPolicy {
        try #require(try await house.store.projects.project(house.home.id)).policy
    }

    @Test("a page of settings that was left open takes back nothing of what others set since")
    func settings() async throws {
        let house = try await ConsoleHouse()
        var olga = try await house.administrator(.owner)
        var pia = try await house.administrator(.owner, named: "pia")
        let (page, form) = (root + "/token-policy", root + "/token-policy/tokens")
        var old = try UntouchedForm.fields(to: form, in: await olga.get(page).text)
        var new = try UntouchedForm.fields(to: form, in: await pia.get(page).text)
        new["access_token_lifetime"] = "300"
        new["session_lifetime"] = "43000"
        #expect(try await pia.submit(form, new).status == .seeOther)
        old["id_token_lifetime"] = "900"
        #expect(try await olga.submit(form, old).status == .seeOther)
        let kept = try await policy(house)
        #expect(kept.accessTokenLifetime == 300 && kept.idTokenLifetime == 900)
        #expect(kept.sessionLifetime == 43000)
        // What she touches herself is hers, also against the newer value.
        old["access_token_lifetime"] = "600"
        #expect(try await olga.submit(form, old).status == .seeOther)
        #expect(try await policy(house).accessTokenLifetime == 600)
    }

    @Test("a removed member of a group is not added again by a page that was open before")
    func groups() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        var olga = try await house.administrator(.owner)
        var pia = try await house.administrator(.owner, named: "pia")
        let page = "\(root)/people/\(bea.id)/details"
        var first = try UntouchedForm.fields(to: page + "/change", in: await pia.get(page).text)
        first["groups"] = "staff\r\nadministrators"
        _ = try await pia.submit(page + "/change", first)
        var old = try UntouchedForm.fields(to: page + "/change", in: await olga.get(page).text)
        #expect(old["groups"]?.contains("administrators") == true)
        var second = try UntouchedForm.fields(to: page + "/change", in: await pia.get(page).text)
        second["groups"] = "staff"
        _ = try await pia.submit(page + "/change", second)
        old["nickname"] = "Bee"
        #expect(try await olga.submit(page + "/change", old).status == .seeOther)
        let claims = try await house.pages.person("bea").claims
        #expect(claims.groups == ["staff"] && claims.nickname == "Bee")
    }

    @Test("an address that was taken from a client does not come back with an old page")
    func clients() async throws {
        let house = try await ConsoleHouse()
        try await house.client("shop")
        var olga = try await house.administrator(.owner)
        var pia = try await house.administrator(.owner, named: "pia")
        let page = root + "/clients/shop"
        var old = try UntouchedForm.fields(to: page + "/change", in: await olga.get(page).text)
        var new = try UntouchedForm.fields(to: page + "/change", in: await pia.get(page).text)
        new["redirect_uris"] = "https://shop.example/new"
        #expect(try await pia.submit(page + "/change", new).status == .seeOther)
        old["client_name"] = "Shop"
        #expect(try await olga.submit(page + "/change", old).status == .seeOther)
        let kept = try #require(
            try await house.store.clients.client(clientID: "shop", in: house.home.id)?.metadata)
        #expect(kept.clientName == "Shop" && kept.redirectURIs == ["https://shop.example/new"])
    }

    @Test("Attack 65: a person's page that was left open takes back no set that was given since")
    func entitlements() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        for name in ["gold", "basic"] {
            try await house.store.entitlements.save(
                EntitlementSet(
                    project: house.home.id, name: name, entitlements: "{}",
                    createdAt: house.pages.clock.now))
        }
        func given() async throws -> GivenEntitlements? {
            try await house.store.entitlements.entitlements(of: bea.id, now: house.pages.clock.now)?
                .given
        }
        var olga = try await house.administrator(.owner)
        var pia = try await house.administrator(.owner, named: "pia")
        let page = "\(root)/people/\(bea.id)"
        let form = page + "/entitlements"
        var old = try UntouchedForm.fields(to: form, in: await olga.get(page).text)
        var new = try UntouchedForm.fields(to: form, in: await pia.get(page).text)
        new["set"] = "gold"
        #expect(try await pia.submit(form, new).status == .seeOther)
        old["explicit"] = #"{"vaults":25}"#
        #expect(try await olga.submit(form, old).status == .seeOther)
        #expect(
            try await given() == GivenEntitlements(set: "gold", explicit: #"{"vaults":25}"#))
        // What she touches herself is hers, and what was hers before stays.
        new["set"] = "basic"
        #expect(try await pia.submit(form, new).status == .seeOther)
        #expect(
            try await given() == GivenEntitlements(set: "basic", explicit: #"{"vaults":25}"#))
    }

    @Test("a form that was refused rests on what it was drawn from, and marks made up are no harm")
    func refused() async throws {
        let house = try await ConsoleHouse()
        var olga = try await house.administrator(.owner)
        var pia = try await house.administrator(.owner, named: "pia")
        let (page, form) = (root + "/token-policy", root + "/token-policy/tokens")
        var old = try UntouchedForm.fields(to: form, in: await olga.get(page).text)
        var new = try UntouchedForm.fields(to: form, in: await pia.get(page).text)
        new["code_lifetime"] = "30"
        _ = try await pia.submit(form, new)
        old["id_token_lifetime"] = "soon"
        let refused = try await olga.submit(form, old)
        #expect(refused.status == .unprocessableContent)
        var again = try UntouchedForm.fields(to: form, in: refused.text)
        #expect(again["shown"] == old["shown"])
        again["id_token_lifetime"] = "900"
        #expect(try await olga.submit(form, again).status == .seeOther)
        #expect(try await policy(house).codeLifetime == 30)
        for wrong in ["=", "code_lifetime", "code_lifetime=AAAA", " = = "] {
            again["shown"] = wrong
            #expect(try await olga.submit(form, again).status == .seeOther, "\(wrong)")
        }
    }
}
