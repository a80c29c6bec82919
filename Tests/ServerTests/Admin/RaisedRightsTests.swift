// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import ProviderAdministration
import Storage
import Testing

/// Settings by which an administrator would get in as an owner, in the project that owners are of.
@Suite struct RaisedRightsTests {
    private static let evil: JSONValue = ["https://evil.example"]

    /// What each would change, below the project.
    private static let changes: [(path: String, body: JSONValue)] = [
        ("", ["environment": "development"]),
        ("", ["webauthn": ["related_origins": evil]]),
        ("/webauthn-policy", ["related_origins": evil]),
        ("/webauthn-policy", ["user_verification": "discouraged"]),
        ("/associated-apps", ["webcredentials": ["ABCDE12345.com.evil.app"]]),
        ("/pin-policy", ["attempts": 10]),
        ("/platform-sso-policy", ["administrator_groups": ["staff"]]),
        ("/platform-sso-policy", ["audience": "evil"]),
        ("/platform-sso-policy", ["require_compliance": true]),
        ("/registration-policy", ["test_keys_in_production": true]),
        ("/attestation/apple", ["applications": ["ABCDE12345.com.evil.app"]]),
        ("/attestation/apple", ["device_check_team_id": "EVILEVIL00"]),
        ("/signing-fingerprints/com.evil.app", fingerprint),
        ("/approval-policy", ["app_url": "https://evil.example/approve"]),
        ("/custom-identity-providers/evil", ["enabled": true, "url": "https://evil.example/idp"]),
        (
            "/clients/app",
            [
                "client_name": "App", "token_endpoint_auth_method": "none", "first_party": true,
                "redirect_uris": ["https://evil.example/cb"],
            ]
        ),
        (
            "/clients/evil",
            [
                "client_name": "Evil", "token_endpoint_auth_method": "none", "first_party": true,
                "redirect_uris": ["https://evil.example/cb"],
            ]
        ),
        (
            "/identity-providers/evil",
            [
                "kind": "oidc", "issuer": "https://evil.example", "client_id": "x",
                "token_endpoint_auth_method": "private_key_jwt",
            ]
        ),
    ]

    /// Returns a fixture with a first-party client in both projects.
    private func house() async throws -> AdminHouse {
        let house = try await AdminHouse()
        #expect(try await house.call(.put, "/projects/qa", body: [:]).status == 201)
        for project in ["default", "qa"] {
            #expect(
                try await house.call(
                    .put, "/projects/\(project)", body: ["environment": "production"]
                ).status == 200)
            let made = try await house.call(
                .put, "/projects/\(project)/clients/app",
                body: [
                    "client_name": "App", "token_endpoint_auth_method": "none",
                    "first_party": true, "redirect_uris": ["https://app.example/cb"],
                ])
            #expect(made.status == 201)
        }
        return house
    }

    private func bearer(_ house: AdminHouse, in project: String) async throws -> String {
        let made = try await house.call(
            .post, "/projects/\(project)/api-tokens",
            body: ["name": "ci", "role": "project_administrator"])
        return "Bearer " + (try #require(made.body["token"]?.string))
    }

    private func document(_ house: AdminHouse) async throws -> JSONValue {
        try await StateExport(house.provider).document(project: "default")
    }

    @Test("Attack 76: who administers the owners' project sets nothing to get in as an owner by")
    func refused() async throws {
        let house = try await house()
        let bearer = try await bearer(house, in: "default")
        let before = try await document(house)
        for (path, body) in Self.changes {
            let answer = try await house.call(
                .put, "/projects/default" + path, body: body, authorization: bearer)
            #expect(answer.status == 422, "\(path) \(body.text)")
            let error = answer.body["errors"]?.array?.first
            #expect(error?["code"] == "owners_alone", "\(path) \(answer.body.text)")
        }
        for operation in ["plan", "apply"] {
            let answer = try await house.call(
                .post, "/state/\(operation)",
                body: [
                    "projects": [["name": "default", "webauthn": ["related_origins": Self.evil]]]
                ], authorization: bearer)
            #expect(answer.status == 422)
            #expect(
                answer.body["errors"]?.array?.first?["path"] == "webauthn.related_origins")
        }
        #expect(try await document(house) == before)
    }

    @Test("changes that do not extend access remain available, and so do projects without owners")
    func allowed() async throws {
        let house = try await house()
        let home = try await bearer(house, in: "default")
        for (path, body) in [
            ("/token-policy", ["access_token_lifetime": 600]), ("/theme", ["accent": "#123456"]),
            ("/webauthn-policy", ["related_origins": []]),
            ("/attestation/apple", ["device_check_once": true]),
            (
                "/clients/app",
                [
                    "client_name": "Renamed", "token_endpoint_auth_method": "none",
                    "first_party": true, "redirect_uris": ["https://app.example/cb"],
                ]
            ),
            (
                "/clients/shop",
                [
                    "client_name": "Shop", "token_endpoint_auth_method": "none",
                    "redirect_uris": ["https://shop.example/cb"],
                ]
            ),
        ] as [(String, JSONValue)] {
            let answer = try await house.call(
                .put, "/projects/default" + path, body: body, authorization: home)
            #expect((200...201).contains(answer.status), "\(path) \(answer.body.text)")
        }
        let qa = try await bearer(house, in: "qa")
        for (path, body) in Self.changes {
            let answer = try await house.call(
                .put, "/projects/qa" + path, body: body, authorization: qa)
            #expect((200...201).contains(answer.status), "\(path) \(answer.body.text)")
        }
    }

    private static let fingerprint: JSONValue = [
        "fingerprints": [.string(Array(repeating: "AB", count: 32).joined(separator: ":"))]
    ]

    @Test("in the console an owner changes it, and another administrator reads why not")
    func console() async throws {
        let house = try await ConsoleHouse()
        var olga = try await house.administrator(.owner)
        var pia = try await house.administrator(
            .projectAdministrator, in: house.home, named: "pia")
        let page = "/console/projects/default/app-registration"
        let form = [
            "settings": "associated-apps", "webcredentials": "ABCDE12345.com.example.notes",
        ]
        _ = try await pia.get(page)
        let refused = try await pia.submit(page + "/associated-apps", form)
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("can be changed only by an owner"))
        pia.language = "de"
        _ = try await pia.get(page)
        let german = try await pia.submit(page + "/associated-apps", form)
        #expect(german.text.contains("kann nur mit der Rolle Inhaber geändert werden"))
        _ = try await olga.get(page)
        let saved = try await olga.submit(page + "/associated-apps", form)
        #expect(saved.location == page + "?done=saved")
    }

    @Test(
        "a provider of others is renamed and switched off without its secret, by who may not more")
    func provider() async throws {
        let house = try await house()
        let bearer = try await bearer(house, in: "default")
        let path = "/projects/default/identity-providers/acme"
        var body: JSONObject = try #require(
            ([
                "kind": "oidc", "issuer": "https://acme.example", "client_id": "x",
                "token_endpoint_auth_method": "client_secret_basic", "client_secret": "very secret",
            ] as JSONValue).object)
        #expect(try await house.call(.put, path, body: .object(body)).status == 201)
        body["client_secret"] = nil
        body["button_text"] = "Acme"
        body["enabled"] = false
        let answer = try await house.call(.put, path, body: .object(body), authorization: bearer)
        #expect(answer.status == 200, "\(answer.body.text)")
        body["enabled"] = true
        let on = try await house.call(.put, path, body: .object(body), authorization: bearer)
        #expect(on.status == 422)
        body["enabled"] = false
        body["client_secret"] = "another"
        let secret = try await house.call(.put, path, body: .object(body), authorization: bearer)
        #expect(secret.status == 422)
    }
}
