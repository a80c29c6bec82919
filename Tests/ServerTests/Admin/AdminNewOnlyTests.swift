// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage
import Testing

/// An insertion leaves an existing resource of another administrator unchanged.
@Suite struct AdminNewOnlyTests {
    private static let root = "/projects/default"
    private static let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")

    struct Thing: Sendable, CustomTestStringConvertible {
        var path: String
        var first: JSONValue
        var second: JSONValue

        var testDescription: String { path }
    }

    private static let things = [
        Thing(path: "/projects/new", first: [:], second: ["environment": "development"]),
        Thing(path: root + "/people/bea", first: ["name": "Bea"], second: ["name": "Mallory"]),
        Thing(
            path: root + "/clients/shop",
            first: [
                "redirect_uris": ["https://shop.example/cb"],
                "token_endpoint_auth_method": "none",
            ],
            second: [
                "redirect_uris": ["https://evil.example/cb"],
                "token_endpoint_auth_method": "none",
            ]),
        Thing(
            path: root + "/identity-providers/acme",
            first: acme,
            second: [
                "kind": "oidc", "issuer": "https://evil.example", "client_id": "gatehouse",
                "token_endpoint_auth_method": "none",
            ]),
        Thing(
            path: root + "/entitlement-sets/gold", first: ["entitlements": ["sms": 5]],
            second: ["entitlements": ["sms": 500]]),
        Thing(
            path: root + "/entitlement-sequences/trial",
            first: ["steps": [["set": "basic", "duration": 60]]],
            second: ["steps": [["set": "basic"]]]),
        Thing(
            path: root + "/signing-fingerprints/com.example.notes",
            first: ["fingerprints": [.string(fingerprint)]],
            second: [
                "fingerprints": [.string(fingerprint.replacing("AB", with: "CD"))]
            ]),
        Thing(
            path: root + "/applications/com.example.notes", first: ["minimum_version": "2"],
            second: ["minimum_version": "1"]),
        Thing(
            path: root + "/systems/ios", first: ["minimum_version": "17"],
            second: ["minimum_version": "1"]),
        Thing(
            path: root + "/custom-identity-providers/club",
            first: ["name": "Club", "url": "https://club.example/"],
            second: ["name": "Club", "url": "https://evil.example/"]),
    ]

    private func state(_ house: AdminHouse) async throws -> JSONValue {
        try await StateExport(house.provider).document()
    }

    @Test(
        "If-None-Match: * creates a resource once, and changes no existing one", arguments: things)
    func makes(_ thing: Thing) async throws {
        let house = try await AdminHouse()
        _ = try await house.call(
            .put, Self.root + "/entitlement-sets/basic", body: ["entitlements": [:]])
        let made = try await house.call(.put, thing.path, body: thing.first, ifNoneMatch: "*")
        #expect(made.status == 200 || made.status == 201, "\(made.body.text)")
        let before = try await state(house)
        for body in [thing.first, thing.second] {
            let again = try await house.call(.put, thing.path, body: body, ifNoneMatch: "*")
            #expect(again.status == 412 && again.body["code"] == "exists_already")
        }
        #expect(try await state(house) == before)
        // Without it the resource is updated.
        #expect(try await house.call(.put, thing.path, body: thing.second).status == 200)
        #expect(try await state(house) != before)
    }

    private static let redirects: JSONValue = ["https://shop.example/cb"]
    private static let acme: JSONValue = [
        "kind": "oidc", "issuer": "https://acme.example", "client_id": "gatehouse",
        "token_endpoint_auth_method": "none",
    ]
    private static let secretless: JSONValue = [
        "client_id": "shop", "redirect_uris": redirects,
        "token_endpoint_auth_method": "client_secret_basic",
    ]
    /// Of a name that is there, and what could not be made of it.
    private static let impossible = [
        Thing(path: root + "/people/bea", first: [:], second: ["disabled": "yes"]),
        Thing(path: root, first: [:], second: ["clients": [secretless]]),
        Thing(
            path: root + "/clients/shop",
            first: ["redirect_uris": redirects, "token_endpoint_auth_method": "none"],
            second: secretless),
        Thing(
            path: root + "/identity-providers/acme",
            first: acme,
            second: [
                "kind": "oauth", "client_id": "gatehouse", "token_endpoint_auth_method": "none",
                "authorization_endpoint": "https://acme.example/authorize",
                "token_endpoint": "https://acme.example/token",
                "userinfo_endpoint": "https://acme.example/me",
            ]),
    ]

    @Test("what is there already is said to be, whatever else is wrong", arguments: impossible)
    func exists(_ thing: Thing) async throws {
        let house = try await AdminHouse()
        #expect(try await house.call(.put, thing.path, body: thing.first).status < 300)
        let wrong = try await house.call(.put, thing.path, body: thing.second)
        #expect(wrong.status == 422, "\(wrong.body.text)")
        let again = try await house.call(
            .put, thing.path, body: thing.second, ifNoneMatch: "*")
        #expect(again.status == 412 && again.code == "exists_already")
    }

    @Test("what is wrong with something new is said where there is none of that name")
    func wrong() async throws {
        let house = try await AdminHouse()
        for path in ["/clients/shop", "/identity-providers/acme", "/people/bea"] {
            let answer = try await house.call(
                .put, Self.root + path, body: Self.secretless, ifNoneMatch: "*")
            #expect(answer.status == 422, "\(path)")
        }
    }

    @Test("an issuer's key is made once")
    func issuerKey() async throws {
        let house = try await AdminHouse()
        func put(_ ifNoneMatch: String?) async throws -> Int {
            let key = try PrivateJWK.generate(for: .es256).publicKey.json
            return try await house.call(
                .put, Self.root + "/issuer-keys",
                body: ["issuer": "idp", "kid": "k1", "alg": "ES256", "public_key": key],
                ifNoneMatch: ifNoneMatch
            ).status
        }
        #expect(try await put("*") == 201)
        let before = try await state(house)
        #expect(try await put("*") == 412)
        #expect(try await state(house) == before)
        #expect(try await put(nil) == 200)
    }

    private static let bodyWithClient: JSONValue = [
        "clients": [
            [
                "client_id": "shop", "redirect_uris": ["https://shop.example/cb"],
                "token_endpoint_auth_method": "none",
            ]
        ]
    ]

    @Test("a project that is there gets nothing new put into it")
    func nested() async throws {
        let house = try await AdminHouse()
        let before = try await state(house)
        let bodies: [JSONValue] = [
            Self.bodyWithClient, ["users": [["username": "bea"]]],
            ["entitlement_sets": [["name": "gold", "entitlements": ["sms": 5]]]],
        ]
        for body in bodies {
            let answer = try await house.call(.put, Self.root, body: body, ifNoneMatch: "*")
            #expect(answer.status == 412 && answer.code == "exists_already")
        }
        #expect(try await state(house) == before)
        let made = try await house.call(
            .put, "/projects/new", body: Self.bodyWithClient, ifNoneMatch: "*")
        #expect(made.status == 201 && made.body["changes"]?.array?.count == 2)
        #expect(try await house.call(.get, "/projects/new/clients/shop").status == 200)
    }

    @Test("of many who make a project of one name at the same moment one does, with its client")
    func projectRace() async throws {
        let house = try await AdminHouse()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await house.call(
                        .put, "/projects/new", body: Self.bodyWithClient, ifNoneMatch: "*"
                    ).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [201] + Array(repeating: 412, count: 7))
        #expect(try await house.call(.get, "/projects/new/clients/shop").status == 200)
    }

    @Test("a document continues with its other projects after a concurrent insertion")
    func others() async throws {
        let house = try await AdminHouse()
        let codes = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    var shared = try #require(Self.bodyWithClient.object)
                    shared["name"] = "shared"
                    let own: JSONValue = ["name": .string("own-\(number)")]
                    return try await house.call(
                        .post, "/state/apply", body: ["projects": [.object(shared), own]]
                    ).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.contains(200) && codes.allSatisfy { $0 == 200 || $0 == 422 }, "\(codes)")
        for number in 0..<8 {
            #expect(try await house.call(.get, "/projects/own-\(number)").status == 200)
        }
        #expect(try await house.call(.get, "/projects/shared/clients/shop").status == 200)
    }

    @Test("of many who make a client of one name at the same moment one does, with its secret")
    func race() async throws {
        let house = try await ConsoleHouse()
        let browser = try await house.administrator(.owner)
        let fields = [
            "client_id": "shop", "token_endpoint_auth_method": "client_secret_basic",
            "redirect_uris": "https://shop.example/cb",
        ]
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var browser = browser
                    return try await browser.submit(
                        "/console/projects/default/clients/create", fields)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let made = answers.filter { $0.status == .ok }
        #expect(made.count == 1)
        #expect(answers.count { $0.status == .conflict } == 7)
        let text = try #require(made.first).text
        let secret = try #require(
            text.firstMatch(of: /class="code" readonly value="([^"]*)"/)?.output.1)
        let kept = try #require(
            try await house.store.clients.client(clientID: "shop", in: house.home.id)?.secretHash)
        let secrets = house.pages.provider.secrets
        #expect(kept == secrets.hash(Array(secret.utf8), for: .clientSecret))
    }
}
