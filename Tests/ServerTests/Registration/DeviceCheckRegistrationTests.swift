// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import AttestationSupport
import Crypto
import IdentityProvider
import JOSE
import Primitives
import Server
import Storage
import Testing
import UserClient

/// Registering by DeviceCheck, against a stand-in for Apple's service on a real socket.
@Suite struct DeviceCheckRegistrationTests {
    /// The provider's way out, as the command makes it.
    private struct Outside: OutgoingHTTP {
        let client = WebClient()

        func send(_ request: OutgoingRequest) async throws(OutgoingHTTPError) -> OutgoingAnswer {
            do {
                let answer = try await client.send(
                    request.method, request.address.text,
                    headers: request.headers.map { ($0.name, $0.value) }, body: request.body,
                    limit: request.longestAnswer, seconds: request.seconds)
                return OutgoingAnswer(
                    status: answer.status, headers: answer.headers, body: answer.body)
            } catch { throw OutgoingHTTPError(.unreachable, "\(error)") }
        }
    }

    /// A provider that asks the stand-in.
    private func withApple(
        once: Bool = false,
        _ body: (AttestedHouse, DeviceCheckStandIn) async throws -> Void
    ) async throws {
        let key = P256.Signing.PrivateKey()
        let apple = try await DeviceCheckStandIn(teamKey: key.publicKey.jwk)
        do {
            let address = apple.address
            let attested = try await AttestedHouse(deviceCheck: address, http: Outside()) {
                rules, _ in
                rules["device_check_key"] = .string(key.pemRepresentation)
                rules["device_check_once"] = .bool(once)
            }
            try await body(attested, apple)
        } catch {
            try? await apple.stop()
            throw error
        }
        try? await apple.stop()
    }

    private func request(
        _ attested: AttestedHouse, _ token: String, key: AppKey? = nil,
        id: Identifier<RegistrationRequest>? = nil
    ) async throws -> RegistrationRequest {
        try await attested.request(.deviceCheck, key: try key ?? AppKey(), id: id) { _, _ in
            JSONObject([.init(name: "token", value: .string(token))])
        }
    }

    @Test("A genuine device registers a key that has signed for itself, and that is all it proves")
    func registers() async throws {
        try await withApple { attested, apple in
            let key = try AppKey()
            let request = try await request(attested, DeviceCheckStandIn.token("a"), key: key)
            let answer = try await attested.house.send(request)
            #expect(answer.status == 201)
            #expect(apple.asked == ["/v1/validate_device_token"])
            let user = try #require(RegistrationAnswer(answer.body)).userID
            let tokens = try await attested.house.signIn(key, as: user)
            let claims = try attested.house.oauth.claims(of: tokens["access_token"]?.string)
            #expect(claims["amr"] == ["swk"])
        }
    }

    @Test("A token is used once: whoever overhears it registers nobody")
    func tokenUsed() async throws {
        try await withApple { attested, _ in
            let token = DeviceCheckStandIn.token("a")
            let first = try await attested.house.outcome(request(attested, token))
            let second = try await attested.house.outcome(request(attested, token))
            #expect(first == "registered")
            #expect(second == "token_used")
        }
    }

    @Test("A token that Apple does not know is refused; an outage is never taken for a yes")
    func refusals() async throws {
        try await withApple { attested, apple in
            let bad = try await request(attested, Base64.encode(Array("x".utf8)))
            let refused = try await attested.house.send(bad).body
            #expect(refused["code"] == "evidence_refused")
            #expect(refused["check"] == "device_not_recognized")
            let fine = try await request(attested, DeviceCheckStandIn.token("a"))
            for outage in [429, 500, 401, 302] {
                apple.change { $0.outage = outage }
                let answer = try await attested.house.send(fine)
                #expect(answer.status == 503 && answer.body["code"] == "vendor_unavailable")
            }
            apple.change { $0.outage = nil }
            #expect(try await attested.house.outcome(fine) == "registered")
            try await apple.stop()
            #expect(try await attested.house.outcome(fine) == "repeated")
            let late = try await request(attested, DeviceCheckStandIn.token("b"))
            #expect(try await attested.house.outcome(late) == "vendor_unavailable")
        }
    }

    @Test("Where a device registers once, its bit says so, and a lost answer still costs nothing")
    func once() async throws {
        try await withApple(once: true) { attested, apple in
            let (key, token) = (try AppKey(), DeviceCheckStandIn.token("a"))
            let first = try await request(attested, token, key: key)
            #expect(try await attested.house.outcome(first) == "registered")
            #expect(
                apple.asked.map { $0.split(separator: "/").last } == [
                    "query_two_bits", "update_two_bits",
                ])
            #expect(try await attested.house.outcome(first) == "repeated")
            let again = try await request(
                attested, token, key: key, id: first.registrationID)
            #expect(try await attested.house.outcome(again) == "repeated")
            let second = try await request(attested, DeviceCheckStandIn.token("a"))
            let answer = try await attested.house.send(second)
            #expect(answer.status == 409 && answer.body["code"] == "device_registered")
            // The other bit is another app's, and stays as it is.
            apple.change { $0.bits["device:b"] = (false, true) }
            let other = try await request(attested, DeviceCheckStandIn.token("b"))
            #expect(try await attested.house.outcome(other) == "registered")
            #expect(apple.bits("b")?.0 == true && apple.bits("b")?.1 == true)
        }
    }
}
