// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import JOSE
import Primitives
import Support
import Synchronization
import Testing

/// Apple's service as a test wants it: one answer, and what was asked.
private final class AppleDouble: AttestationHTTPClient {
    struct Away: Error {}

    private let answer: AttestationHTTPResponse?
    private let asked = Mutex<[AttestationHTTPRequest]>([])

    /// - Parameter answer: `nil` for no response.
    init(_ answer: AttestationHTTPResponse?) { self.answer = answer }

    convenience init(_ status: Int, _ body: String = "") {
        self.init(AttestationHTTPResponse(status: status, body: Array(body.utf8)))
    }

    var requests: [AttestationHTTPRequest] { asked.withLock { $0 } }

    func send(_ request: AttestationHTTPRequest) async throws -> AttestationHTTPResponse {
        asked.withLock { $0.append(request) }
        guard let answer else { throw Away() }
        return answer
    }
}

@Suite("DeviceCheck")
struct DeviceCheckTests {
    private let key = P256.Signing.PrivateKey()
    private let token = [UInt8]("what DCDevice gave".utf8)

    private func service(_ apple: AppleDouble) throws -> DeviceCheckService {
        let pem = Secret(key.pemRepresentation)
        return DeviceCheckService(
            key: try #require(DeviceCheckKey(pem: pem, keyID: "KEY7890123", teamID: "TEAM123456")),
            host: DeviceCheckService.productionHost, client: apple, clock: ManualClock(now),
            random: SeededRandom())
    }

    private func answer(
        _ question: DeviceCheckRequest, _ apple: AppleDouble
    ) async throws -> DeviceCheckResponse {
        await (try service(apple)).ask(question, token: token)
    }

    // MARK: What is sent

    @Test("A query says what Apple's documentation wants, in milliseconds")
    func query() async throws {
        let apple = AppleDouble(200, #"{"bit0":true,"bit1":false,"last_update_time":"2026-11"}"#)
        let answer = try await answer(.query, apple)
        #expect(
            answer == .bits(DeviceCheckBits(bit0: true, bit1: false, lastUpdate: "2026-11")))
        let request = try #require(apple.requests.first)
        #expect(request.method == "POST")
        #expect(request.url == "https://api.devicecheck.apple.com/v1/query_two_bits")
        let body = try JSONParser.parseObject(request.body, maximumBytes: 4096)
        #expect(body["device_token"]?.string == Base64.encode(token))
        #expect(body["timestamp"]?.integer == now.milliseconds)
        #expect(body["transaction_id"]?.string?.utf8.count == 36)
        #expect(body["bit0"] == nil)
    }

    @Test("An update sends both bits, a validation none")
    func update() async throws {
        let apple = AppleDouble(200)
        let service = try service(apple)
        #expect(await service.ask(.update(bit0: true, bit1: false), token: token) == .done)
        #expect(await service.ask(.validate, token: token) == .done)
        let bodies = try apple.requests.map {
            try JSONParser.parseObject($0.body, maximumBytes: 4096)
        }
        #expect(bodies[0]["bit0"] == true)
        #expect(bodies[0]["bit1"] == false)
        #expect(bodies[1]["bit1"] == nil)
        #expect(
            apple.requests.map { $0.url.split(separator: "/").last } == [
                "update_two_bits", "validate_device_token",
            ])
        #expect(bodies[0]["transaction_id"] != bodies[1]["transaction_id"])
    }

    @Test("The bearer token is a JWT by ES256 with the key's id, of the team, in seconds")
    func authorization() async throws {
        let apple = AppleDouble(200)
        _ = try await answer(.validate, apple)
        let header = try #require(
            apple.requests.first?.headers.first { $0.name == "authorization" })
        #expect(header.value.hasPrefix("Bearer "))
        let verifier = JWSVerifier(key: .publicKey(try key.publicKey.jwk), algorithms: [.es256])
        let verified = try verifier.verify(compact: String(header.value.dropFirst(7)))
        #expect(verified.header.keyID == "KEY7890123")
        let claims = try JSONParser.parseObject(verified.payload, maximumBytes: 4096)
        #expect(claims["iss"] == "TEAM123456")
        #expect(claims["iat"] == .integer(now.seconds))
    }

    @Test("A key that is no P-256 key in PKCS #8 is none", arguments: ["", "-----BEGIN X-----"])
    func keyForm(_ pem: String) {
        #expect(DeviceCheckKey(pem: Secret(pem), keyID: "K", teamID: "T") == nil)
        let other = Secret(P384.Signing.PrivateKey().pemRepresentation)
        #expect(DeviceCheckKey(pem: other, keyID: "K", teamID: "T") == nil)
    }

    @Test("A token that is empty, or far too long, is not sent", arguments: [0, 20_000])
    func tokenLength(_ count: Int) async throws {
        let apple = AppleDouble(200)
        let answer = await (try service(apple)).ask(
            .validate, token: [UInt8](repeating: 1, count: count))
        #expect(answer == .badToken("\(count) bytes are not a token"))
        #expect(apple.requests.isEmpty)
    }

    // MARK: What comes back

    @Test(
        "Plain text instead of JSON states that the bits were never set",
        arguments: ["Failed to find bit state", "Bit State Not Found", "Bit State Not Found\n"])
    func neverSet(_ text: String) async throws {
        #expect(try await answer(.query, AppleDouble(200, text)) == .neverSet)
    }

    @Test("A token that Apple does not know is bad")
    func badToken() async throws {
        let apple = AppleDouble(400, "Missing or badly formatted device token payload")
        #expect(
            try await answer(.query, apple)
                == .badToken("Missing or badly formatted device token payload"))
    }

    @Test("A key that Apple does not know is the operator's matter", arguments: [401, 403])
    func notAuthorized(_ status: Int) async throws {
        let apple = AppleDouble(status, "Unable to verify authorization token")
        #expect(
            try await answer(.query, apple)
                == .notAuthorized("Unable to verify authorization token"))
    }

    @Test(
        "Attack 42: trouble on the way is unknown, and never the same as clear",
        arguments: [100, 204, 302, 404, 405, 429, 500, 502, 503, 504, 599])
    func trouble(_ status: Int) async throws {
        for question in [DeviceCheckRequest.query, .validate, .update(bit0: false, bit1: false)] {
            let answer = try await answer(question, AppleDouble(status, "Failed to find bit state"))
            guard case .unknown = answer else {
                Issue.record("\(status) is \(answer)")
                continue
            }
        }
    }

    @Test("Attack 42: no answer at all is unknown")
    func away() async throws {
        guard case .unknown = try await answer(.query, AppleDouble(nil)) else {
            Issue.record("silence was understood")
            return
        }
    }

    @Test(
        "Attack 42: an answer that says nothing is unknown",
        arguments: [
            "", "{}", "[]", #"{"bit0":true}"#, #"{"bit0":1,"bit1":0}"#,
            #"{"bit0":"true","bit1":"x"}"#,
            #"{"bit0":false,"bit0":true,"bit1":false}"#, "<html>Failed to find bit state</html>",
        ])
    func nonsense(_ body: String) async throws {
        guard case .unknown = try await answer(.query, AppleDouble(200, body)) else {
            Issue.record("\(body) was understood")
            return
        }
    }

    @Test("Apple's text with an error is shortened")
    func longReason() async throws {
        let apple = AppleDouble(400, String(repeating: "x", count: 10_000))
        guard case .badToken(let reason) = try await answer(.query, apple) else {
            Issue.record("not a bad token")
            return
        }
        #expect(reason.utf8.count == 200)
    }
}
