// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Storage
import Support
import Testing

@testable import HTTPServer
@testable import ProtocolEndpoints

/// The gate for versions, over the real routes: what an old app is answered, and that it loses
/// nothing by it.
@Suite struct VersionGateTests {
    private let house: RegistrationHouse
    private static let old = "com.example.notes/1.9 ios/17"
    private static let new = "com.example.notes/2.0 ios/17"

    init() async throws { house = try await RegistrationHouse() }

    private func demand(_ minimum: String, onlyListed: Bool = false) async throws {
        try await house.change { project in
            var rule = AppVersionPolicy()
            rule.id = "com.example.notes"
            rule.minimumVersion = minimum
            rule.updateURL = "https://apps.example/notes"
            project.policy.registration.applications = [rule]
            project.policy.registration.listedApplicationsOnly = onlyListed
        }
    }

    private func ask(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil, as app: String?,
        token: String? = nil
    ) async throws -> (status: Int, body: JSONObject) {
        var headers: HTTPFields = [:]
        headers[.gatehouseApplication] = app
        headers[.authorization] = token.map { "Bearer \($0)" }
        if body != nil { headers[.contentType] = "application/json" }
        let answer = try await house.oauth.send(
            method, path, headers: headers, body: body?.text ?? "")
        let json = try? JSONParser.parseObject(answer.body, maximumBytes: 65_536)
        return (answer.status.code, json ?? JSONObject())
    }

    @Test("an old app is told so with a problem document, before anything is looked at")
    func registration() async throws {
        try await demand("2.0")
        for (path, body) in [
            ("/challenge", ["method": "signedJWT"] as JSONValue), ("", [:]), ("/start", [:]),
            ("/sign-in/challenge", [:]), ("/pin/challenge", [:]), ("/pin", [:]),
        ] {
            let answer = try await ask(.post, "/registration" + path, body, as: Self.old)
            #expect(answer.status == 403, "\(path)")
            #expect(answer.body["code"]?.string == "outdated_application", "\(path)")
            #expect(answer.body["minimum_version"]?.string == "2.0")
            #expect(answer.body["update_url"]?.string == "https://apps.example/notes")
            #expect(answer.body["request_id"]?.string != nil)
        }
        let fresh = try await ask(
            .post, "/registration/challenge", ["method": "signedJWT"], as: Self.new)
        #expect(fresh.status == 200)
    }

    @Test("an old app sees no entitlements and uses none up, and is told so first")
    func entitlements() async throws {
        try await demand("2.0", onlyListed: true)
        let body: JSONValue = [
            "request_id": "5f0c1f3e-6a0f-4f43-8a39-6f1d2b6f7c11", "name": "sms",
        ]
        for (method, path, body) in [
            (.get, "/entitlements", nil), (.post, "/entitlements/consume", body),
        ] as [(HTTPRequest.Method, String, JSONValue?)] {
            let old = try await ask(method, path, body, as: Self.old, token: "none")
            #expect(old.status == 403 && old.body["code"]?.string == "outdated_application")
            #expect(old.body["minimum_version"]?.string == "2.0")
            let silent = try await ask(method, path, body, as: nil, token: "none")
            #expect(silent.body["code"]?.string == "unknown_application")
            let new = try await ask(method, path, body, as: Self.new, token: "none")
            #expect(new.status == 401 && new.body["code"]?.string == "not_signed_in")
        }
    }

    @Test("who is too old, or unknown, may always leave")
    func leaving() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let token = try #require(
            try await house.signIn(key, as: user.userID)["access_token"]?.string)
        try await demand("2.0", onlyListed: true)
        let listed = try await ask(
            .get, "/registration/installations", as: Self.old, token: token)
        #expect(listed.status == 403)
        for app in [nil, Self.old, "nonsense"] {
            let answer = try await ask(
                .delete, "/registration/sign-ins", as: app, token: "none")
            #expect(answer.body["code"]?.string == "not_signed_in")
        }
        let left = try await ask(
            .delete, "/registration/installations/current", as: Self.old, token: token)
        #expect(left.status == 204)
    }

    @Test("an old app's refresh token is refused unused, and counts when the app is new")
    func refresh() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let refresh = try #require(
            try await house.signIn(key, as: user.userID)["refresh_token"]?.string)
        try await demand("2.0")
        func turn(_ app: String?) async throws -> (status: Int, body: JSONObject) {
            var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            headers[.gatehouseApplication] = app
            let answer = try await house.oauth.send(
                .post, "/token", headers: headers,
                body: "grant_type=refresh_token&client_id=app&refresh_token=\(refresh)")
            return (
                answer.status.code,
                try JSONParser.parseObject(answer.body, maximumBytes: 65_536)
            )
        }
        let writes = try await house.oauth.engine.count {
            for _ in 0..<3 {
                let answer = try await turn(Self.old)
                #expect(answer.status == 400)
                #expect(answer.body["error"]?.string == "unauthorized_client")
                #expect(answer.body["code"]?.string == "outdated_application")
                #expect(answer.body["minimum_version"]?.string == "2.0")
            }
        }
        #expect(writes.writes == 0)
        let malformed = try await turn("notes")
        #expect(malformed.body["error"]?.string == "invalid_request")
        #expect(try await turn(Self.new).status == 200)
    }

    @Test("a project without rules reads nothing of it")
    func withoutRules() async throws {
        let answer = try await ask(
            .post, "/registration/challenge", ["method": "signedJWT"], as: "\u{7f}nonsense")
        #expect(answer.status == 200)
    }
}
