// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import Testing

@testable import gatehouse

/// `KEY=VALUE` of `change` and `create`.
@Suite struct SettingTextTests {
    @Test(
        "a value is a number, a flag, a list, a mapping, or a text",
        arguments: [
            ("n=5", 5), ("on=true", true), ("off=false", false), ("none=null", .null),
            ("name=Anna Johnson", "Anna Johnson"), ("empty=", ""), ("equation=a=b", "a=b"),
            ("access=nobody", "nobody"),
            (
                "access={groups: [staff, board], users: [anna]}",
                ["groups": ["staff", "board"], "users": ["anna"]]
            ),
            (#"access={"groups": ["staff"]}"#, ["groups": ["staff"]]),
            ("groups=[staff]", ["staff"]), ("groups=[]", []), ("attributes={}", [:]),
            (
                "claims=[{claim: role, in: [id_token], value: x}]",
                [["claim": "role", "in": ["id_token"], "value": "x"]]
            ),
            ("client_name=[Test] Shop", "[Test] Shop"), ("client_name={x", "{x"),
        ] as [(String, JSONValue)])
    func values(_ text: String, _ value: JSONValue) throws {
        let setting = try #require(SettingText(argument: text))
        #expect(setting.value == value)
        #expect(text.hasPrefix(setting.name + "="))
    }

    @Test("what names no key is no setting", arguments: ["", "=x", "name", "{groups: [staff]}"])
    func nameless(_ text: String) { #expect(SettingText(argument: text) == nil) }

    @Test("a client is changed and made with mappings on the command line")
    func client() throws {
        let words = ["shop", "access={groups: [staff]}", "required_acr=phr"]
        let change = try UpdateResource<AdminClientsCommand>.parse(words)
        #expect(
            try change.settings.object()
                == JSONObject([
                    .init(name: "access", value: ["groups": ["staff"]]),
                    .init(name: "required_acr", value: "phr"),
                ]))
        let create = try AdminClientsCommand.Create.parse(
            words + ["--redirect-uri", "https://shop.example/cb", "client_secret=mine"])
        let body = create.body(secret: nil)
        #expect(body["access"] == ["groups": ["staff"]] && body["required_acr"] == "phr")
        #expect(body["redirect_uris"] == ["https://shop.example/cb"])
        #expect(body["client_secret"] == nil, "a secret is made, or comes in a file")
    }

    @Test("a person is made with attributes on the command line")
    func person() throws {
        let create = try AdminPeopleCommand.Create.parse([
            "anna", "--group", "staff", "attributes={department: sales, sites: [berlin, rome]}",
        ])
        let body = try create.body()
        #expect(body["groups"] == ["staff"])
        #expect(body["attributes"] == ["department": "sales", "sites": ["berlin", "rome"]])
    }
}
