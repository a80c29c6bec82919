// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import ProviderAdministration
import Storage
import Testing

/// A group that a client's rules name and that has no member lets in no person: that is said.
@Suite struct EmptyGroupWarningTests {
    private static let client: JSONObject = JSONObject([
        .init(name: "client_name", value: "Shop"),
        .init(name: "token_endpoint_auth_method", value: "none"),
        .init(name: "redirect_uris", value: ["https://shop.example/cb"]),
        .init(name: "access", value: ["groups": ["staf"]]),
        .init(
            name: "claims",
            value: [
                ["claim": "role", "in": ["id_token"], "from_groups": ["admins": "Admin"]]
            ]),
    ])

    private func warnings(_ answer: AdminHouse.Answer) -> [String] {
        (answer.body["changes"]?.array ?? []).flatMap { $0["warnings"]?.strings ?? [] }
    }

    @Test("the Admin API names groups without members, once, and none that the document fills")
    func named() async throws {
        let house = try await AdminHouse()
        let path = "/projects/default/clients/shop"
        var client = Self.client
        let made = try await house.call(.put, path, body: .object(client))
        #expect(made.status == 201)
        #expect(
            warnings(made)
                == ["admins", "staf"].map {
                    "No person is in the group \"\($0)\". Check its spelling, or add people to it."
                })
        client["client_name"] = "The Shop"
        #expect(warnings(try await house.call(.put, path, body: .object(client))).isEmpty)
        client["access"] = ["groups": ["staff", "board"]]
        client["client_id"] = "shop"
        let planned = try await house.call(
            .post, "/state/plan",
            body: [
                "projects": [
                    [
                        "name": "default", "clients": [.object(client)],
                        "users": [["username": "anna", "groups": ["staff"]]],
                    ]
                ]
            ])
        #expect(planned.status == 200)
        #expect(warnings(planned).count == 1)
        #expect(warnings(planned).first?.contains("\"board\"") == true)
    }

    @Test("the Admin API names people in a client's access who do not exist, once")
    func unknownPeople() async throws {
        let house = try await AdminHouse()
        var client = Self.client
        client["claims"] = []
        client["access"] = ["users": ["olag"]]
        let path = "/projects/default/clients/shop"
        #expect(
            warnings(try await house.call(.put, path, body: .object(client))) == [
                "No person has the user name \"olag\". A person who registers with it later may "
                    + "use the client."
            ])
        #expect(warnings(try await house.call(.put, path, body: .object(client))).isEmpty)
    }

    @Test("the client's page in the console names them; access and attributes are set there")
    func console() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let root = "/console/projects/default"
        _ = try await browser.submit(
            root + "/clients/create",
            [
                "client_id": "shop", "client_name": "Shop", "token_endpoint_auth_method": "none",
                "redirect_uris": "https://shop.example/cb",
            ])
        let page = root + "/clients/shop"
        #expect(
            try await !browser.get(page).text.contains(
                "Groups without members in the access policy"))
        let saved = try await browser.submit(
            page + "/change", ["access": #"{"groups": ["staf"]}"#])
        #expect(saved.location == page + "?done=saved")
        let shown = try await browser.get(page).text
        #expect(
            shown.contains("Groups without members in the access policy") && shown.contains("staf"))
        let closed = try await browser.submit(page + "/change", ["access": "nobody"])
        #expect(closed.location == page + "?done=saved")
        #expect(
            try await !browser.get(page).text.contains(
                "Groups without members in the access policy"))
        let client = try #require(
            try await house.store.clients.client(clientID: "shop", in: house.home.id))
        #expect(StateExport.object(client)["access"] == "nobody")
        _ = try await browser.get(page)
        let wrong = try await browser.submit(page + "/change", ["access": "staff"])
        #expect(wrong.status == .unprocessableContent)
        #expect(wrong.text.contains("must be one of everybody, nobody"))
    }

    @Test("attributes of a person are set in the console")
    func attributes() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        _ = try await house.pages.registered("bea")
        let person = try await house.pages.person("bea")
        let page = "/console/projects/default/people/\(person.id)/details"
        #expect(try await browser.get(page).text.contains("Attributes"))
        let saved = try await browser.submit(
            page + "/change", ["attributes": #"{"department": "sales"}"#])
        #expect(saved.location == page + "?done=saved")
        let after = try #require(try await house.store.people.person(person.id))
        #expect(after.attributes == #"{"department":"sales"}"#)
        _ = try await browser.get(page)
        let wrong = try await browser.submit(page + "/change", ["attributes": "sales"])
        #expect(wrong.status == .unprocessableContent)
    }
}
