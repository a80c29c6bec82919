// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import IdentityProvider
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage
import Support
import Testing

/// What requests without a session leave in the database.
@Suite struct AnonymousGrowthTests {
    private static let requests = 1500
    /// As large as clients may send, and read by no rule.
    private static let padding = OAuthHouse.encode(
        Dictionary(
            uniqueKeysWithValues: (0..<8).map {
                ("unknown_\($0)", String(repeating: "x", count: 1000))
            }))

    private let house: OAuthHouse

    init() async throws { house = try await OAuthHouse() }

    private func rows() async throws -> [String: Int] {
        await house.provider.audit.flush()
        return try await house.provider.store.maintenance.status().rows
    }

    /// Tables that `work` has added rows to.
    private func growth(_ work: () async throws -> Void) async throws -> [String: Int] {
        let before = try await rows()
        try await work()
        return try await rows().reduce(into: [:]) { grown, table in
            let added = table.value - (before[table.key] ?? 0)
            if added > 0 { grown[table.key] = added }
        }
    }

    private func post(
        _ path: String, _ form: [String: String], from address: String = "192.0.2.1"
    ) async throws -> ServerResponse {
        try await house.post(path, body: OAuthHouse.encode(form) + "&" + Self.padding, address)
    }

    @Test("Attack 67: requests to /authorize leave no row, whatever they bring along")
    func authorize() async throws {
        var longest = 0
        let grown = try await growth {
            for number in 0..<Self.requests {
                let answer = try OAuthHouse.Answer(
                    try await post("/authorize", house.request("shop", ["state": "\(number)"])))
                #expect(answer.address == "/sign-in")
                longest = max(longest, answer.parameters["continue"]?.utf8.count ?? 0)
            }
        }
        #expect(grown.isEmpty, "\(grown)")
        #expect(longest < 1000)
    }

    @Test("Attack 67: nor do those that resume a request, or that are too long to be carried")
    func resumed() async throws {
        let first = try OAuthHouse.Answer(try await post("/authorize", house.request()))
        let handle = try #require(first.parameters["continue"])
        let grown = try await growth {
            for _ in 0..<Self.requests {
                let step = try await AuthorizationEndpoint(house.provider).resume(
                    handle: handle, tenant: house.tenant, facts: house.facts, signedIn: nil)
                guard case .interaction(let interaction) = step else {
                    Issue.record("no question")
                    return
                }
                #expect(interaction.handle == handle)
            }
        }
        #expect(grown.isEmpty, "\(grown)")
        let long = try OAuthHouse.Answer(
            try await post(
                "/authorize",
                house.request(
                    "shop",
                    [
                        "state": String(repeating: "s", count: 4000),
                        "claims": #"{"userinfo":{"\#(String(repeating: "c", count: 1000))":null}}"#,
                    ])))
        #expect(long.parameters["error"] == "invalid_request")
        #expect(long.parameters["error_description"]?.contains("5000 bytes together") == true)
    }

    @Test("Attack 67: device authorizations of one address are limited, and others may go on")
    func devices() async throws {
        let form = [
            "client_id": ProviderBootstrap.commandLineClientID, "scope": "openid",
            "device_name": String(repeating: "d", count: 1000),
        ]
        let bytes = try await house.provider.store.maintenance.status().bytes
        let grown = try await growth {
            for number in 0..<Self.requests {
                let answer = try await post("/device_authorization", form)
                let isWithin = number < DeviceAuthorizationEndpoint.beginnings
                #expect(answer.status == (isWithin ? .ok : .tooManyRequests))
                #expect((answer.headers[.retryAfter] == nil) == isWithin)
            }
        }
        #expect(grown["device_authorizations"] == DeviceAuthorizationEndpoint.beginnings)
        #expect(Set(grown.keys).isSubset(of: ["device_authorizations", "attempts"]))
        // The write-ahead log is reused and holds up to 1,000 pages of 4 KiB.
        let log = Int64(5 << 20)
        let added = try await house.provider.store.maintenance.status().bytes - bytes
        #expect(added < 1024 * Int64(DeviceAuthorizationEndpoint.beginnings) + log)
        let elsewhere = try await post("/device_authorization", form, from: "198.51.100.7")
        #expect(elsewhere.status == .ok)
        let known = try await house.post(
            "/device_authorization", ["scope": "openid"], headers: OAuthHouse.basic("shop"))
        #expect(known.status == .ok)
        house.clock.advance(by: .minutes(16))
        #expect(try await post("/device_authorization", form).status == .ok)
    }
}

extension OAuthHouse {
    fileprivate func post(
        _ path: String, body: String, _ address: String
    ) async throws -> ServerResponse {
        var request = HTTPRequest(
            method: .post, scheme: "http", authority: "localhost", path: path)
        request.headerFields[.contentType] = FormParameters.mediaType
        let facts = RequestMetadata(now: clock.now, requestID: "req-1", address: address)
        switch try await dispatcher.destination(for: request, facts: facts, isSecure: false) {
        case .answer(let response): return response
        case .route(let route, var seen):
            seen.body = Array(body.utf8)
            return await dispatcher.respond(to: seen, by: route)
        }
    }
}
