// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import Storage
import Support
import Testing

@testable import AdminConsole

/// Who may use a client, and its own claims, as fields of the form.
@Suite struct ConsoleClientFormTests {
    private let page = "/console/projects/default/clients/shop"
    private var form: String { page + "/change" }

    private func metadata(_ house: ConsoleHouse) async throws -> ClientMetadata {
        try #require(
            try await house.store.clients.client(clientID: "shop", in: house.home.id)
        ).metadata
    }

    private func fields(_ browser: inout Browser) async throws -> [String: String] {
        try UntouchedForm.fields(to: form, in: try await browser.get(page).text)
    }

    @Test("access is a choice with two lists, and an untouched form changes nothing")
    func access() async throws {
        let house = try await ConsoleHouse()
        try await house.client("shop")
        var browser = try await house.administrator(.owner)
        var sent = try await fields(&browser)
        #expect(sent["access"] == "everybody" && sent["access.groups"]?.isEmpty == true)
        sent["access"] = "only"
        sent["access.groups"] = "staff\r\nit"
        sent["access.users"] = "anna"
        #expect(try await browser.submit(form, sent).location == page + "?done=saved")
        #expect(
            try await metadata(house).access == #"{"groups":["staff","it"],"users":["anna"]}"#)
        sent = try await fields(&browser)
        #expect(sent["access"] == "only" && sent["access.users"] == "anna")
        let before = try await metadata(house)
        #expect(try await browser.submit(form, sent).status == .seeOther)
        #expect(try await metadata(house) == before)
        for (choice, stored) in [("nobody", #""nobody""#), ("everybody", nil)] {
            sent = try await fields(&browser)
            sent["access"] = choice
            #expect(try await browser.submit(form, sent).status == .seeOther)
            #expect(try await metadata(house).access == stored)
        }
    }

    @Test("claims are a table: rows are added, changed and removed without a script")
    func claims() async throws {
        let house = try await ConsoleHouse()
        try await house.client("shop")
        var browser = try await house.administrator(.owner)
        var sent = try await fields(&browser)
        let groups = [
            "claim": "role", "in.id_token": "1", "source": "from_groups",
            "value": "admins = Admin\r\nstaff = 2", "default": "Viewer",
        ]
        let attribute = [
            "claim": "site", "in.userinfo": "1", "source": "from_attribute", "value": "site",
        ]
        for (index, row) in [groups, attribute].enumerated() {
            sent["claims.\(index).in.id_token"] = nil
            for (name, value) in row { sent["claims.\(index).\(name)"] = value }
        }
        #expect(try await browser.submit(form, sent).location == page + "?done=saved")
        let role =
            #"{"claim":"role","in":["id_token"],"from_groups":{"admins":"Admin","staff":2},"#
            + #""default":"Viewer"}"#
        let site = #"{"claim":"site","in":["userinfo"],"from_attribute":"site"}"#
        #expect(try await metadata(house).claims == "[\(role),\(site)]")
        sent = try await fields(&browser)
        #expect(sent["claims.1.value"] == "site" && sent["claims.4.claim"]?.isEmpty == true)
        let before = try await metadata(house)
        #expect(try await browser.submit(form, sent).status == .seeOther)
        #expect(try await metadata(house) == before)
        for name in ["claim", "value", "default"] { sent["claims.0.\(name)"] = "" }
        #expect(try await browser.submit(form, sent).status == .seeOther)
        #expect(try await metadata(house).claims == "[\(site)]")
    }

    @Test("a refused row says what is wrong, and everything that was submitted is shown again")
    func refused() async throws {
        let house = try await ConsoleHouse()
        try await house.client("shop")
        var browser = try await house.administrator(.owner)
        var sent = try await fields(&browser)
        sent["access"] = "only"
        sent["access.groups"] = "staff"
        sent["claims.0.claim"] = "role"
        sent["claims.0.default"] = "Viewer"
        let answer = try await browser.submit(form, sent)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("id=\"change-claims-wrong\""))
        let again = try UntouchedForm.fields(to: form, in: answer.text)
        #expect(again["access"] == "only" && again["access.groups"] == "staff")
        #expect(again["claims.0.claim"] == "role" && again["claims.0.default"] == "Viewer")
        let kept = try await metadata(house)
        #expect(kept.access == nil && kept.claims == nil)
    }

    @Test(
        "every value of a claim is read back as it was shown",
        arguments: [
            "plain", "5", "true", "null", "1.5", "007", "[1]", "a = b", " spaced ", "two\nlines",
            "",
            "\"quoted\"", "Ä",
        ])
    func texts(_ text: String) {
        for value in [JSONValue.string(text), 5, true, ["a", "b"]] {
            #expect(ClaimValueText.value(ClaimValueText.text(value)) == value)
            let member = JSONObject.Member(name: text, value: value)
            #expect(ClaimValueText.member(ClaimValueText.line(member)) == member)
        }
    }

    @Test("a client with very many claims has JSON text, which is read as before")
    func many() async throws {
        let house = try await ConsoleHouse()
        try await house.client("shop")
        var browser = try await house.administrator(.owner)
        let rows = (0..<30).map { number -> JSONValue in
            ["claim": .string("c\(number)"), "in": ["id_token"], "value": "x"]
        }
        let text = JSONValue.array(rows).text
        _ = try await browser.get(page)
        #expect(try await browser.submit(form, ["claims": text]).status == .seeOther)
        #expect(try await metadata(house).claims == text)
        #expect(try await browser.get(page).text.contains("<textarea id=\"change-claims\""))
    }
}
