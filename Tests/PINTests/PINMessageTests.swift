// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import Primitives
import Support
import Testing

@Suite struct PINMessageTests {
    // MARK: Requests

    /// A request with the payload and header that a test wants, rightly signed.
    private func request(
        _ device: PINTestDevice, typ: String = "gatehouse-pin2-sign-in+jwt", alg: String = "ES256",
        kid: String? = nil, header more: String = "", payload: String
    ) async throws -> [UInt8] {
        let kid = kid ?? device.keyID.text
        let header = #"{"alg":"\#(alg)","kid":"\#(kid)","typ":"\#(typ)"\#(more)}"#
        let input =
            Base64URL.encodeBytes(Array(header.utf8)) + [0x2E]
            + Base64URL.encodeBytes(Array(payload.utf8))
        let signature = try await device.key.signature(over: input)
        return input + [0x2E] + Base64URL.encodeBytes(signature)
    }

    private static let text = Base64URL.encode([UInt8](repeating: 7, count: 32))
    private static let point = Base64URL.encode([UInt8](repeating: 4, count: 65))
    private static let ciphertext = Base64URL.encode([UInt8](repeating: 9, count: 48))
    private static let head = #""aud":"https://id.example","jti":"\#(text)""#
    private static let box = #""enc":"\#(point)","ct":"\#(ciphertext)""#
    private static let proof = #""proof_key":"\#(text)",\#(box)"#
    private static let valid = #"{\#(head),"ver":1,\#(proof)}"#

    @Test("A valid request is read, whatever its signer")
    func readable() async throws {
        let device = try PINTestDevice(PINWorld())
        let bytes = try await request(device, payload: Self.valid)
        let read = try #require(UnverifiedPINRequest(compact: bytes))
        #expect(read.keyID == device.keyID)
        #expect(read.nonce.text == Self.text)
    }

    @Test(
        "A payload that is not exactly what was announced is no request",
        arguments: [
            "", "{}", "[]", "null", #"{"aud":"https://id.example"}"#,
            #"{\#(head),"ver":1,\#(proof),"exp":1}"#,
            #"{"aud":["https://id.example"],"jti":"\#(text)","ver":1,\#(proof)}"#,
            #"{"aud":"https://id.example","jti":"AA","ver":1,\#(proof)}"#,
            #"{\#(head),"ver":0,\#(proof)}"#, #"{\#(head),"ver":-1,\#(proof)}"#,
            #"{\#(head),"ver":1.5,\#(proof)}"#, #"{\#(head),"ver":4294967296,\#(proof)}"#,
            #"{\#(head),"ver":"1",\#(proof)}"#, #"{\#(head),"ver":1,"ver":2,\#(proof)}"#,
            #"{\#(head),"ver":1,"proof_key":"",\#(box)}"#,
            #"{\#(head),"ver":1,"proof_key":"\#(text)==",\#(box)}"#,
            #"{\#(head),"ver":1,"proof_key":{"a":[]},\#(box)}"#,
            #"{\#(head),"ver":1,"proof_key":"\#(text)","enc":"\#(text)","ct":"\#(ciphertext)"}"#,
            #"{\#(head),"ver":1,"proof_key":"\#(text)","enc":"\#(point)","ct":"\#(text)"}"#,
            #"{\#(head),"ver":1,"proof_key":"\#(text)","enc":"\#(point)"}"#,
            #"{\#(head),"ver":1,"proof":"\#(text)"}"#,
            #"{\#(head),"ver":1,"proof":"\#(text)",\#(proof)}"#,
        ])
    func badPayload(_ payload: String) async throws {
        let device = try PINTestDevice(PINWorld())
        let bytes = try await request(device, payload: payload)
        #expect(UnverifiedPINRequest(compact: bytes) == nil)
    }

    @Test("A header with another type, a foreign kid or one member more is no request")
    func badHeader() async throws {
        let device = try PINTestDevice(PINWorld())
        let valid = Self.valid
        let headers = [
            try await request(device, typ: "JWT", payload: valid),
            try await request(device, typ: "gatehouse-pin-sign-in+jwt", payload: valid),
            try await request(device, typ: "gatehouse-pin3-sign-in+jwt", payload: valid),
            try await request(device, typ: "GATEHOUSE-PIN2-SIGN-IN+JWT", payload: valid),
            try await request(device, typ: "gatehouse-pin2-delivery+jwt", payload: valid),
            try await request(device, typ: "gatehouse-pin2-resolve+jwt", payload: valid),
            try await request(device, kid: "", payload: valid),
            try await request(device, kid: "device-1", payload: valid),
            try await request(device, header: #","jwk":{}"#, payload: valid),
            try await request(device, header: #","crit":["b64"]"#, payload: valid),
        ]
        for bytes in headers { #expect(UnverifiedPINRequest(compact: bytes) == nil) }
    }

    @Test("Half a proof in an offer is no request")
    func halfAProof() async throws {
        let device = try PINTestDevice(PINWorld())
        let key = Base64URL.encode(PINTransportKey().publicKey.bytes)
        let head = #"{"aud":"https://id.example","jti":"\#(Self.text)","transport_key":"\#(key)""#
        for rest in [
            #","ver":1}"#, #",\#(Self.proof)}"#, #","ver":0,\#(Self.proof)}"#,
            #","ver":1,\#(Self.box)}"#,
        ] {
            let bytes = try await request(
                device, typ: "gatehouse-pin2-offer+jwt", payload: head + rest)
            #expect(UnverifiedPINRequest(compact: bytes) == nil)
        }
        let whole = try await request(
            device, typ: "gatehouse-pin2-offer+jwt", payload: head + "}")
        #expect(UnverifiedPINRequest(compact: whole) != nil)
    }

    @Test("Cut, lengthened and changed requests are refused or no requests", arguments: 0..<40)
    func mutations(_ seed: Int) async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: "24681")
        let bytes = try await device.signInRequest("24681")
        let random = SeededRandom(seed: UInt64(seed))
        var changed = bytes
        let place = Int(random.next() % UInt64(bytes.count))
        switch seed % 4 {
        case 0: changed.removeLast(place + 1)
        case 1: changed.append(UInt8(ascii: "A"))
        case 2: changed.insert(UInt8(ascii: "."), at: place)
        default: changed[place] ^= UInt8(1 + random.next() % 255)
        }
        #expect(try await world.answer(changed) == .refused)
        #expect(device.record?.attemptsUsed == 0)
    }

    @Test("Attack 15: the algorithm is the key's, not the message's")
    func algorithms() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: "24681")
        for algorithm in ["none", "HS256", "RS256", "ES384", "es256", "EdDSA"] {
            let bytes = try await request(device, alg: algorithm, payload: Self.valid)
            #expect(try await world.answer(bytes) == .refused)
        }
        #expect(device.record?.attemptsUsed == 0)
    }

    @Test("RSA keys of older installations are accepted, other curves are not")
    func kindsOfKeys() throws {
        let rsa = try PrivateJWK.generate(for: .rs256).publicKey
        #expect(PINRecord(registering: rsa) != nil)
        for algorithm in [JWSAlgorithm.es384, .es512, .edDSA] {
            let key = try PrivateJWK.generate(for: algorithm).publicKey
            #expect(PINRecord(registering: key) == nil)
            #expect(PINDeviceAlgorithm.pinned(for: key) == nil)
        }
    }

    // MARK: Statements

    @Test("A statement is for one key of one issuer, and answers one nonce")
    func statements() throws {
        let world = try PINWorld()
        let (device, other) = (try PINTestDevice(world), try PINTestDevice(world))
        let (nonce, wrong) = (world.nonce(), world.nonce())
        let version = try world.signer.version(3, to: device.keyID, answering: nonce, in: .two)
        #expect(try device.statements.version(version, answering: nonce).version == 3)
        #expect(throws: PINStatementError.notForUs) {
            try device.statements.version(version, answering: wrong)
        }
        #expect(throws: PINStatementError.notForUs) {
            try other.statements.version(version, answering: nonce)
        }
        let elsewhere = try PINTestDevice(world, issuer: "https://elsewhere.example")
        let ending = try world.signer.ending(
            .profileLocked, of: elsewhere.keyID, now: PINWorld.now, in: .two)
        #expect(throws: PINStatementError.notForUs) { try elsewhere.statements.ending(ending) }
    }

    @Test("Attack 63: one kind of statement does not pass for another")
    func kindsOfStatements() throws {
        let world = try PINWorld()
        let device = try PINTestDevice(world)
        let nonce = world.nonce()
        let version = try world.signer.version(3, to: device.keyID, answering: nonce, in: .two)
        let ending = try world.signer.ending(
            .deviceRevoked, of: device.keyID, now: PINWorld.now, in: .two)
        #expect(throws: PINStatementError.unverifiable) { try device.statements.ending(version) }
        #expect(throws: PINStatementError.unverifiable) {
            try device.statements.version(ending, answering: nonce)
        }
        #expect(throws: PINStatementError.unverifiable) {
            try device.statements.delivery(version, answering: nonce)
        }
    }

    @Test("A statement that another key signed, that was changed, or that is unsigned is rejected")
    func forgedStatements() throws {
        let (world, other) = (try PINWorld(), try PINWorld())
        let device = try PINTestDevice(world)
        let forged = try other.signer.ending(
            .profileLocked, of: device.keyID, now: PINWorld.now, in: .two)
        #expect(throws: PINStatementError.unverifiable) { try device.statements.ending(forged) }
        let right = try world.signer.ending(
            .profileLocked, of: device.keyID, now: PINWorld.now, in: .two)
        for index in stride(from: 0, to: right.count, by: 7) {
            var changed = right
            changed[index] ^= 2
            #expect(throws: PINStatementError.self) { try device.statements.ending(changed) }
        }
        for text in ["", "..", "profile_locked", #"{"reason":"profile_locked"}"#] {
            #expect(throws: PINStatementError.unverifiable) {
                try device.statements.ending(Array(text.utf8))
            }
        }
        #expect(try device.statements.ending(right).ending == .profileLocked)
    }

    @Test("A delivery for another transport key does not open")
    func foreignDelivery() async throws {
        let world = try PINWorld()
        let device = try PINTestDevice(world)
        let nonce = world.nonce()
        let answer = try await world.register(
            device.requests.firstOffer(to: PINTransportKey().publicKey, nonce: nonce),
            device.key.publicKey)
        guard case .delivery(let statement) = answer else { throw PINTestDevice.Unexpected(answer) }
        let delivery = try device.statements.delivery(statement, answering: nonce)
        #expect(throws: PINStatementError.deliveryUnusable) {
            _ = try PINTransportKey().open(delivery).version
        }
    }

    // MARK: Answers

    @Test("Answers are read as they were written, among other members")
    func answers() throws {
        let budget = PINAttempts(limit: .standard, used: 2)
        let answers: [PINResponse] = [
            .accepted, .delivery([0x61]), .version([0x62]), .wrongPIN(budget), .ended([0x63]),
            .refused,
        ]
        for answer in answers {
            var object = JSONObject(answer.members)
            object["request_id"] = "1"
            object["status"] = 403
            #expect(PINResponse(json: object.bytes) == answer)
        }
    }

    @Test(
        "An answer that is none changes nothing, so it is none",
        arguments: [
            "", "{}", #"{"code":"ACCEPTED"}"#, #"{"code":1}"#, #"{"code":"delivery"}"#,
            #"{"code":"ended"}"#, #"{"code":"ended","statement":true}"#, #"{"code":"wrong_pin"}"#,
            #"{"code":"wrong_pin","attempts":{"limit":5,"used":2,"remaining":4}}"#,
            #"{"code":"wrong_pin","attempts":{"limit":0,"used":0,"remaining":0}}"#,
            #"{"code":"wrong_pin","attempts":{"limit":11,"used":2,"remaining":9}}"#,
            #"{"code":"wrong_pin","attempts":{"limit":5,"used":-1,"remaining":6}}"#,
            #"{"code":"wrong_pin","attempts":{"limit":5,"used":6,"remaining":-1}}"#,
            #"{"code":"wrong_pin","attempts":{"limit":5,"used":9223372036854775807,"remaining":0}}"#,
            "<html>",
        ])
    func badAnswers(_ text: String) { #expect(PINResponse(json: Array(text.utf8)) == nil) }
}
