// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Support
import Testing

@testable import HTTPServer
@testable import ProtocolEndpoints

/// The HTTP shape that the FIDO conformance tools speak.
@Suite struct ConformanceRoutesTests {
    private let dispatcher: Dispatcher
    private let key: SoftwarePasskey

    init() async throws {
        let house = try await PagesHouse()
        dispatcher = Dispatcher(
            provider: house.provider, groups: [ConformanceRoutes(house.provider)])
        key = try SoftwarePasskey(
            origin: PagesHouse.issuer, relyingPartyID: "localhost", random: house.random)
    }

    private func post(_ path: String, _ body: String) async throws -> (Int, JSONValue) {
        let request = HTTPRequest(
            method: .post, scheme: "http", authority: "localhost", path: path)
        let facts = RequestMetadata(
            now: ManualClock().now, requestID: "r", address: "192.0.2.1")
        guard
            case .route(let route, var seen) = try await dispatcher.destination(
                for: request, facts: facts, isSecure: false)
        else { return (404, .null) }
        seen.body = Array(body.utf8)
        let answer = await dispatcher.respond(to: seen, by: route)
        let json = try? JSONParser.parse(answer.body, maximumBytes: 65_536)
        return (answer.status.code, json ?? .null)
    }

    private func challenge(_ path: String, _ body: String) async throws -> String {
        let (status, answer) = try await post(path, body)
        #expect(status == 200 && answer["status"]?.string == "ok", "\(answer)")
        return try #require(answer["challenge"]?.string)
    }

    private static let newcomer = #"{"username":"ada","displayName":"Ada","attestation":"direct"}"#

    @Test("a key registers and signs in, each challenge once")
    func flow() async throws {
        let first = try await challenge("/attestation/options", Self.newcomer)
        let registration = key.registration(challenge: first)
        #expect(try await post("/attestation/result", registration).0 == 200)
        let again = try await post("/attestation/result", registration)
        #expect(again.1["status"]?.string == "failed")
        let (_, options) = try await post("/assertion/options", #"{"username":"ada"}"#)
        #expect(options["allowCredentials"]?.array?.count == 1)
        let second = try #require(options["challenge"]?.string)
        let (_, made) = try await post("/attestation/options", Self.newcomer)
        let handle = try #require(
            made["user"]?["id"]?.string.flatMap { Base64URL.decode($0) })
        let assertion = try key.assertion(challenge: second, userHandle: handle)
        #expect(try await post("/assertion/result", assertion).0 == 200)
        #expect(try await post("/assertion/result", assertion).0 == 400)
    }

    @Test("what is wrong is said, and nothing is let in")
    func refusals() async throws {
        for (path, body) in [
            ("/attestation/options", "{}"), ("/attestation/options", "[]"),
            ("/attestation/options", #"{"username":"a","displayName":"A","attestation":"x"}"#),
            ("/assertion/options", #"{"username":"nobody"}"#), ("/assertion/result", "{}"),
            ("/attestation/result", key.registration(challenge: "AAAA")),
        ] {
            let (status, answer) = try await post(path, body)
            #expect(status == 400)
            #expect(answer["status"]?.string == "failed")
            #expect(answer["errorMessage"]?.string?.isEmpty == false)
        }
        let signIn = try await challenge("/attestation/options", Self.newcomer)
        let crossed = try key.assertion(challenge: signIn, userHandle: [1])
        #expect(try await post("/assertion/result", crossed).0 == 400)
    }
}
