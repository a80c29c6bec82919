// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import PINSupport
import Testing

/// What both sides keep, and what they refuse to read.
@Suite struct PINStateTests {
    // MARK: The device

    @Test("A second offer is not taken while the first is unresolved")
    func unresolved() async throws {
        let world = try PINWorld()
        var device = try await world.device()
        let spare = try #require(try await world.device().state.current)
        device.state = try device.state.offering(spare)
        #expect(throws: PINDeviceState.TransitionRefusal.unresolved) {
            try device.state.offering(spare)
        }
    }

    @Test("The server naming a secret that is not here forgets nothing")
    func contradiction() async throws {
        let world = try PINWorld()
        let device = try await world.device()
        for version: UInt32 in [0, 2, .max] {
            let nonce = world.nonce()
            let statement = try device.statements.version(
                world.signer.version(version, to: device.keyID, answering: nonce, in: .two),
                answering: nonce)
            #expect(throws: PINDeviceState.TransitionRefusal.contradiction(version: version)) {
                try device.state.applying(statement)
            }
        }
    }

    @Test("Statements about another key change nothing")
    func foreignStatements() async throws {
        let world = try PINWorld()
        let (device, other) = (try await world.device(), try await world.device())
        let nonce = world.nonce()
        let version = try other.statements.version(
            world.signer.version(1, to: other.keyID, answering: nonce, in: .two), answering: nonce)
        let ending = try other.statements.ending(
            world.signer.ending(.profileLocked, of: other.keyID, now: PINWorld.now, in: .two))
        #expect(throws: PINDeviceState.TransitionRefusal.notForUs) {
            try device.state.applying(version)
        }
        #expect(throws: PINDeviceState.TransitionRefusal.notForUs) {
            try device.state.wiped(by: ending)
        }
    }

    @Test("A wiped profile keeps the reason and takes nothing any more")
    func wiped() async throws {
        let world = try PINWorld()
        let device = try await world.device()
        let sealed = try #require(device.state.current)
        let ending = try device.statements.ending(
            world.signer.ending(.deviceRevoked, of: device.keyID, now: PINWorld.now, in: .two))
        let state = try device.state.wiped(by: ending)
        #expect(state.ending == .deviceRevoked && state.current == nil && state.offered == nil)
        #expect(throws: PINDeviceState.TransitionRefusal.over) { try state.offering(sealed) }
        #expect(PINDeviceState(json: state.json) == state)
    }

    @Test("A stored state is read as it was written")
    func deviceRoundTrip() async throws {
        let world = try PINWorld()
        var device = try await world.device()
        #expect(PINDeviceState(json: device.state.json) == device.state)
        let spare = try #require(try await world.device().state.current)
        device.state = try device.state.offering(spare)
        #expect(PINDeviceState(json: device.state.json) == device.state)
        let empty = PINDeviceState(binding: device.requests.binding)
        #expect(PINDeviceState(json: empty.json) == empty)
    }

    @Test(
        "A damaged state is reported, not repaired",
        arguments: [
            ("format", JSONValue.integer(2)), ("format", .null), ("iss", .null),
            ("kid", .string("AA")), ("current", .string("")),
            ("offered", .object(JSONObject())), ("ended", .string("profile_locked")),
            ("ended", .string("other")),
        ])
    func damagedState(_ name: String, _ value: JSONValue) async throws {
        let device = try await PINWorld().device()
        #expect(PINDeviceState(json: try replacing([name], value, in: device.state.json)) == nil)
    }

    @Test(
        "A sealed secret with costs, lengths or a version that cannot be is not read",
        arguments: [
            ("ver", JSONValue.integer(0)), ("ver", .integer(-1)), ("rounds", .integer(0)),
            ("rounds", .integer(209_999)), ("rounds", .integer(10_000_001)),
            ("rounds", .integer(4_294_967_896)), ("rounds", .null), ("rounds", .string("600000")),
            ("salt", .string("AA")), ("salt", .null), ("memory", .integer(8)),
            ("counter", .string("AA")), ("box", .string("*")),
        ])
    func damagedSecret(_ name: String, _ value: JSONValue) async throws {
        let device = try await PINWorld().device()
        let json = try replacing(["current", name], value, in: device.state.json)
        #expect(PINDeviceState(json: json) == nil)
    }

    @Test(
        "A sealed secret of version 1 with costs or lengths that cannot be is not read",
        arguments: [
            ("memory", JSONValue.integer(0)), ("memory", .integer(4_294_967_295)),
            ("memory", .integer(4_294_967_296)), ("iterations", .integer(0)),
            ("iterations", .integer(1_000)), ("lanes", .integer(0)), ("salt", .string("AA")),
            ("counter", .string("AA")), ("counter", .null), ("rounds", .integer(600_000)),
        ])
    func damagedVersion1Secret(_ name: String, _ value: JSONValue) async throws {
        let device = try PINTestDevice(PINWorld())
        let state = try await Version1Store.state(
            Version1Secret(version: 1, bytes: [UInt8](repeating: 5, count: 32)), under: "24681",
            of: device.requests.binding, sealedBy: device.sealing, random: device.world.random)
        let read = try #require(PINDeviceState(json: state))
        #expect(read.isOutdated && PINDeviceState(json: read.json) == read)
        let json = try replacing(["current", name], value, in: state)
        #expect(PINDeviceState(json: json) == nil)
    }

    // MARK: The server

    private static let secretKey: JSONValue = ["kty": "oct", "k": "AAAA"]
    private static let unsealed: JSONValue = ["ver": 1]
    private static let beyondLast: JSONValue = ["ver": 2, "sealed": "AA"]
    private static let offerToNobody: JSONValue = [
        "secret": ["ver": 1, "sealed": "AA"], "transport_key": "AA",
    ]

    @Test("A record is read as a store keeps it")
    func recordRoundTrip() async throws {
        let world = try PINWorld(limit: 2)
        let device = try await world.device(pin: "24681")
        _ = try await device.signIn("11223")
        let record = try #require(device.record)
        #expect(PINRecord(json: record.json, revision: record.revision) == record)
        _ = try await device.signIn("11223")
        let locked = try #require(device.record)
        #expect(PINRecord(json: locked.json, revision: locked.revision) == locked)
        #expect(!String(decoding: locked.json, as: UTF8.self).contains("sealed"))
    }

    @Test(
        "A damaged record is a failure, never a record without attempts",
        arguments: [
            ("key", JSONValue.null), ("key", secretKey),
            ("attempts_used", .null), ("attempts_used", .integer(-1)),
            ("attempts_used", .integer(11)), ("attempts_used", .integer(.max)),
            ("last_version", .integer(0)), ("last_version", .integer(-1)),
            ("last_wrong_nonce", .integer(1)), ("current", .string("")),
            ("current", unsealed), ("current", beyondLast),
            ("ended", .string("profile_locked")), ("ended", .string("no")),
            ("offered", offerToNobody),
        ])
    func damagedRecord(_ name: String, _ value: JSONValue) async throws {
        let device = try await PINWorld().device()
        let record = try #require(device.record)
        let json = try replacing([name], value, in: record.json)
        #expect(PINRecord(json: json, revision: record.revision) == nil)
        #expect(PINRecord(json: record.json, revision: -1) == nil)
    }

    @Test("After four billion changes there is no further version")
    func versionsExhausted() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: "24681")
        let record = try #require(device.record)
        let last = try #require(
            PINRecord(
                json: try replacing(
                    ["last_version"], .integer(4_294_967_295), in: record.json),
                revision: record.revision))
        let offer = try await device.requests.nextOffer(
            to: PINTransportKey().publicKey, proving: device.open("24681"), nonce: world.nonce())
        let request = try #require(UnverifiedPINRequest(compact: offer))
        #expect(try world.verifier.verify(request, last).outcome == .refused(.versionsExhausted))
    }

    /// The object with the value at that path replaced; `null` removes it.
    private func replacing(
        _ path: [String], _ value: JSONValue, in json: [UInt8]
    ) throws -> [UInt8] {
        func replaced(_ object: JSONObject, _ path: ArraySlice<String>) throws -> JSONObject {
            var object = object
            let name = try #require(path.first)
            if path.count == 1 {
                object[name] = value == .null ? nil : value
            } else {
                let inner = try #require(object[name]?.object)
                object[name] = .object(try replaced(inner, path.dropFirst()))
            }
            return object
        }
        return try replaced(
            JSONParser.parseObject(json, maximumBytes: 65_536), path[...]
        ).bytes
    }
}
