// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PIN
import PINSupport
import Primitives
import Testing

/// The table of docs/protocols/pin.md, "The server": record and request give outcome and record.
/// Secrets of records are in plaintext here; a server seals them as it likes.
enum PINVectorDecisions {
    static let topic = VectorTopic(name: "decisions", make: make, run: run)

    // MARK: Making

    private enum Before: String, CaseIterable {
        case unregistered, offered, current, both, locked, revoked
    }

    private static func make() async throws -> [VectorCase] {
        let world = try PINVectorWorld()
        var cases: [VectorCase] = []
        for before in Before.allCases {
            for (rule, request) in try await requests(world) {
                cases.append(try await one(rule, request, record(before, world), world))
            }
        }
        return try await cases + last(world) + registrations(world)
    }

    private static func one(
        _ rule: String, _ request: [UInt8], _ record: JSONObject?, _ world: PINVectorWorld,
        isRegistration: Bool = false
    ) async throws -> VectorCase {
        var given = JSONObject.given(
            ("issuer", .string(PINWorld.issuer)), ("now", .integer(PINWorld.now.seconds)),
            ("limit", .integer(Int64(PINVectorWorld.limit))),
            ("keys", try world.keys("proof")), ("record", record.map { .object($0) } ?? .null),
            ("random", [.base64URL([UInt8](repeating: 0x33, count: 32))]))
        if isRegistration { given["registration"] = true }
        let input = JSONValue.string(String(decoding: request, as: UTF8.self))
        let bare = VectorCase(rule, "decide", input: input, given: given, expect: JSONObject())
        return VectorCase(
            rule, "decide", input: input, given: given, expect: try decide(bare, world))
    }

    /// Requests of the device of the record, and of others.
    private static func requests(
        _ world: PINVectorWorld
    ) async throws -> [(String, [UInt8])] {
        let device = try world.requests
        let nonce = world.nonce
        let first = try await world.opened(world.secrets[0], version: 1)
        let second = try await world.opened(world.secrets[1], version: 2)
        let wrong = try await world.opened([UInt8](repeating: 0x77, count: 32), version: 1)
        let wrongSecond = try await world.opened([UInt8](repeating: 0x77, count: 32), version: 2)
        let unknown = try await world.opened(world.secrets[0], version: 9)
        let transport = try #require(
            PINTransportPublicKey.known(PINVectorWorld.transportScalar))
        let foreign = try #require(
            PINProofKey(scalar: Secret(PINVectorWorld.otherScalar))
        ).publicKey
        let stranger = try #require(
            PINRequestSigner(
                issuer: PINWorld.issuer, key: world.other, proofKey: world.proofKey.publicKey))
        let elsewhere = try #require(
            PINRequestSigner(
                issuer: "https://elsewhere.example", key: world.device,
                proofKey: world.proofKey.publicKey))
        return try await [
            ("a right sign-in", device.signIn(with: first, nonce: nonce)),
            ("a wrong sign-in", device.signIn(with: wrong, nonce: nonce)),
            ("a right sign-in with the offered secret", device.signIn(with: second, nonce: nonce)),
            (
                "a wrong sign-in with the offered secret",
                device.signIn(with: wrongSecond, nonce: nonce)
            ),
            ("a sign-in with an unknown version", device.signIn(with: unknown, nonce: nonce)),
            (
                "a sign-in whose proof does not open",
                device.sealing(to: foreign).signIn(with: first, nonce: nonce)
            ),
            ("a sign-in of another key", stranger.signIn(with: first, nonce: nonce)),
            ("a sign-in for another issuer", elsewhere.signIn(with: first, nonce: nonce)),
            ("a right commit", device.commit(second, nonce: nonce)),
            ("a repeated commit", device.commit(first, nonce: nonce)),
            ("a wrong commit", device.commit(wrongSecond, nonce: nonce)),
            ("a right change", device.nextOffer(to: transport, proving: first, nonce: nonce)),
            ("a wrong change", device.nextOffer(to: transport, proving: wrong, nonce: nonce)),
            (
                "a change that proves the offered secret",
                device.nextOffer(to: transport, proving: second, nonce: nonce)
            ),
            (
                "a first offer outside a registration",
                device.firstOffer(to: transport, nonce: nonce)
            ),
            (
                "in version 1, a right sign-in",
                world.version1.signIn(
                    with: Version1Secret(version: 1, bytes: world.secrets[0]), nonce: nonce)
            ),
            (
                "in version 1, a sign-in with the offered secret",
                world.version1.signIn(
                    with: Version1Secret(version: 2, bytes: world.secrets[1]), nonce: nonce)
            ),
            (
                "a resolution",
                world.version1.message("gatehouse-pin2-resolve+jwt", nonce, #""ver":2"#)
            ),
        ]
    }

    private static func record(_ before: Before, _ world: PINVectorWorld) -> JSONObject? {
        let offer: JSONValue = [
            "ver": 2, "secret": .base64URL(world.secrets[1]),
            "transport_key": .base64URL([UInt8](repeating: 9, count: 32)),
        ]
        let current: JSONValue = ["ver": 1, "secret": .base64URL(world.secrets[0])]
        var record = JSONObject.given(
            ("key", world.device.publicKey.json), ("last_version", 2), ("attempts_used", 1))
        switch before {
        case .unregistered: return nil
        case .offered: record["offered"] = offer
        case .current: record["current"] = current
        case .both:
            record["current"] = current
            record["offered"] = offer
        case .locked: record["ended"] = "profile_locked"
        case .revoked: record["ended"] = "device_revoked"
        }
        return record
    }

    /// The last attempt.
    private static func last(_ world: PINVectorWorld) async throws -> [VectorCase] {
        var both = try #require(record(.both, world))
        both["attempts_used"] = 2
        let device = try world.requests
        let wrong = [UInt8](repeating: 0x77, count: 32)
        let first = try await world.opened(wrong, version: 1)
        let second = try await world.opened(wrong, version: 2)
        let right = try await world.opened(world.secrets[0], version: 1)
        return try await [
            one(
                "the last wrong one locks", device.signIn(with: first, nonce: world.nonce), both,
                world),
            one(
                "the last wrong one locks, with the offered secret",
                device.signIn(with: second, nonce: world.nonce), both, world),
            one(
                "a right one clears the count", device.signIn(with: right, nonce: world.nonce),
                both, world),
        ]
    }

    /// Registrations, and a record without a further version.
    private static func registrations(_ world: PINVectorWorld) async throws -> [VectorCase] {
        let device = try world.requests
        let transport = try #require(
            PINTransportPublicKey.known(PINVectorWorld.transportScalar))
        let offer = try await device.firstOffer(to: transport, nonce: world.nonce)
        let empty = JSONObject.given(
            ("key", world.device.publicKey.json), ("last_version", 0), ("attempts_used", 0))
        var exhausted = try #require(record(.current, world))
        exhausted["last_version"] = 4_294_967_295
        let first = try await world.opened(world.secrets[0], version: 1)
        let signIn = try await device.signIn(with: first, nonce: world.nonce)
        return try await [
            one("a registration gets the first secret", offer, empty, world, isRegistration: true),
            one(
                "a registered PIN is not replaced", offer, record(.current, world), world,
                isRegistration: true),
            one(
                "an ended key is not registered", offer, record(.locked, world), world,
                isRegistration: true),
            one("a registration offers", signIn, empty, world, isRegistration: true),
            one(
                "versions end",
                device.nextOffer(to: transport, proving: first, nonce: world.nonce), exhausted,
                world),
        ]
    }

    // MARK: Running

    private static func run(_ one: VectorCase) async throws -> VectorVerdict {
        .comparing(try decide(one, PINVectorWorld()), one.expect)
    }

    private static func decide(_ one: VectorCase, _ world: PINVectorWorld) throws -> JSONObject {
        let request = try #require(
            UnverifiedPINRequest(compact: Array((one.input?.string ?? "").utf8)))
        let record = try one.given["record"]?.object.map {
            try #require(try PINVectorRecord.read($0, world.vault))
        }
        let random = one.given["random"]?.array?.compactMap {
            $0.string.flatMap { Base64URL.decode($0) }
        }
        let verifier = world.verifier(random: random ?? [])
        let decision =
            one.given["registration"] == true
            ? try verifier.register(request, #require(record))
            : try verifier.verify(request, record)
        var found = outcome(decision.outcome)
        found["record"] = decision.successor.map {
            .object(PINVectorRecord.write($0, world.vault))
        }
        return found
    }

    private static func outcome(_ outcome: PINOutcome) -> JSONObject {
        switch outcome {
        case .accepted(let version, let wrongBefore):
            .accepted([
                ("outcome", "accepted"), ("ver", .integer(Int64(version))),
                ("wrong_before", .integer(Int64(wrongBefore))),
            ])
        case .offered(let secret):
            .accepted([("outcome", "delivery"), ("ver", .integer(Int64(secret.version)))])
        case .standing(let version):
            .accepted([("outcome", "version"), ("ver", .integer(Int64(version)))])
        case .wrongPIN(let attempts):
            JSONObject.given(
                ("result", "refused"), ("code", "wrong_pin"),
                ("used", .integer(Int64(attempts.used))))
        case .ended(let ending):
            JSONObject.given(
                ("result", "refused"), ("code", "ended"), ("reason", .string(ending.rawValue)))
        case .refused(let refusal):
            JSONObject.given(
                ("result", "refused"), ("code", "refused"), ("reason", .string(refusal.rawValue)))
        }
    }
}

/// A record as the vectors have it: secrets in plaintext, no revision.
enum PINVectorRecord {
    static func read(_ object: JSONObject, _ vault: TestVault) throws -> PINRecord? {
        guard let members = object["key"]?.object,
            let key = try JSONWebKey(members).publicKey
        else { return nil }
        func sealed(_ value: JSONValue) throws -> JSONValue? {
            guard let version = value["ver"]?.integer,
                let secret = value["secret"]?.string.flatMap({ Base64URL.decode($0) })
            else { return nil }
            let context = "pin-secret/\(PINWorld.issuer)/\(PINKeyID(key).text)/\(version)"
            return [
                "ver": .integer(version),
                "sealed": .base64URL(try vault.seal(Secret(secret), context: context)),
            ]
        }
        var stored = object
        if let current = object["current"] { stored["current"] = try sealed(current) }
        if let offered = object["offered"] {
            stored["offered"] = [
                "secret": try sealed(offered) ?? .null,
                "transport_key": offered["transport_key"] ?? .null,
            ]
        }
        return PINRecord(json: stored.bytes, revision: 1)
    }

    static func write(_ record: PINRecord, _ vault: TestVault) -> JSONObject {
        guard var object = try? JSONParser.parseObject(record.json, maximumBytes: 65_536) else {
            return JSONObject()
        }
        if let current = object["current"] {
            object["current"] = plain(
                current["ver"], vault.secret(of: record), nil)
        }
        if let offered = object["offered"] {
            object["offered"] = plain(
                offered["secret"]?["ver"], vault.secret(of: record, isOffered: true),
                offered["transport_key"])
        }
        return object
    }

    private static func plain(
        _ version: JSONValue?, _ secret: [UInt8]?, _ transport: JSONValue?
    ) -> JSONValue {
        var object = JSONObject()
        object["ver"] = version
        object["secret"] = secret.map { .base64URL($0) }
        object["transport_key"] = transport
        return .object(object)
    }
}
