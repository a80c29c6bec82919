// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import AttestationSupport
import Crypto
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderInstallations
import ProviderSettings
import Storage
import Support
import Testing
import UserClient

/// Registering by DeviceCheck, against a fake of Apple's service on a real socket.
@Suite struct DeviceCheckRegistrationTests {
    /// The provider's way out, as the command makes it.
    private struct Outside: OutgoingHTTP {
        let client = WebClient()

        func send(_ request: OutgoingRequest) async throws(OutgoingHTTPError) -> OutgoingResponse {
            do {
                let answer = try await client.send(
                    request.method, request.address.text,
                    headers: request.headers.map { ($0.name, $0.value) }, body: request.body,
                    limit: request.maximumResponseLength, seconds: request.seconds)
                return OutgoingResponse(
                    status: answer.status, headers: answer.headers, body: answer.body)
            } catch { throw OutgoingHTTPError(.unreachable, "\(error)") }
        }
    }

    /// Returns a provider that uses the fake.
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
        id: Identifier<AppRegistrationRequest>? = nil
    ) async throws -> AppRegistrationRequest {
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
            let user = try #require(AppRegistrationResponse(answer.body)).userID
            let tokens = try await attested.house.signIn(key, as: user)
            let claims = try attested.house.oauth.claims(of: tokens["access_token"]?.string)
            #expect(claims["amr"] == ["swk"])
        }
    }

    @Test("A token is valid once: an eavesdropper cannot register with it")
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

    @Test("Attack 36: one network has Apple asked so often and not more")
    func bounded() async throws {
        try await withApple { attested, apple in
            let house = attested.house
            var limits = AttemptLimits()
            limits.perAddress = 1
            let context = CeremonyContext(
                provider: house.provider,
                tenant: try #require(try await house.provider.tenant(named: "default")),
                facts: house.oauth.facts, limits: limits, writer: SilentWriter())
            func outcome(_ request: AppRegistrationRequest) async throws -> String {
                switch try await InstallationRegistration.run(request, in: context) {
                case .success(let registered): registered.isNew ? "registered" : "repeated"
                case .failure(let refusal): refusal.code
                }
            }
            let first = try await request(attested, DeviceCheckStandIn.token("a"))
            #expect(try await outcome(first) == "registered")
            for _ in 1..<limits.externalRequestsPerAddress {
                let junk = try await request(attested, Base64.encode(Array("x".utf8)))
                #expect(try await outcome(junk) == "evidence_refused")
            }
            let asked = apple.asked.count
            #expect(asked == limits.externalRequestsPerAddress)
            let next = try await request(attested, DeviceCheckStandIn.token("b"))
            #expect(try await outcome(next) == "too_many_attempts")
            #expect(try await outcome(first) == "repeated")
            #expect(apple.asked.count == asked)
            // In the trail as one line a minute, not one for each.
            #expect(try await house.events("registration.deviceCheck").count == 1)
            house.oauth.clock.advance(by: limits.window)
            let later = try await request(attested, DeviceCheckStandIn.token("c"))
            #expect(try await house.outcome(later) == "registered")
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

    @Test("Only a listed device registers once more, until its time")
    func again() async throws {
        try await withApple(once: true) { attested, _ in
            let now = attested.house.oauth.clock.now
            try await attested.house.change {
                $0.policy.registration.apple.deviceCheckAgain = [
                    "phone-1 until \((now + .hours(1)).rfc3339)",
                    "phone-2 until \((now - .seconds(1)).rfc3339)",
                ]
            }
            func outcome(_ device: JSONValue?) async throws -> String {
                var request = try await request(attested, DeviceCheckStandIn.token("a"))
                request.evidence["device_id"] = device
                return try await attested.house.outcome(request)
            }
            #expect(try await outcome(nil) == "registered")
            for device: JSONValue? in [nil, "phone-2", "phone-3", "PHONE-1", "", 1] {
                #expect(try await outcome(device) == "device_registered")
            }
            #expect(try await outcome("phone-1") == "registered")
            attested.house.oauth.clock.advance(by: .hours(1))
            #expect(try await outcome("phone-1") == "device_registered")
        }
    }

    @Test("What is no name with a time is no allowance")
    func malformedAllowance() throws {
        for text in [
            "phone-1", "phone-1 until", "phone-1 until tomorrow", " until 2026-12-01T00:00:00Z",
            "phone 1 until 2026-12-01T00:00:00Z", "phone-1 till 2026-12-01T00:00:00Z",
        ] {
            let project: JSONValue = [
                "name": "default",
                "registration": ["apple": ["device_check_again": [.string(text)]]],
            ]
            #expect(throws: StateDocumentError.self, "\(text)") {
                try StateParser.parse(["projects": [project]])
            }
        }
        _ = try StateParser.parse([
            "projects": [
                [
                    "name": "default",
                    "registration": [
                        "apple": ["device_check_again": ["phone-1 until 2026-12-01T00:00:00Z"]]
                    ],
                ]
            ]
        ])
    }
}
