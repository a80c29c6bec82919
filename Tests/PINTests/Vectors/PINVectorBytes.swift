// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PIN
import PINSupport
import Primitives
import Synchronization
import Testing

/// Thumbprints, challenges, pads, boxes and keys. Each case names what to compute in `what`.
enum PINVectorBytes {
    static let topic = VectorTopic(name: "bytes", make: make, run: run)

    // MARK: Making

    private static func make() async throws -> [VectorCase] {
        let world = try PINVectorWorld()
        return try await names(world) + challenges(world) + transportKeys() + pads()
            + boxes(world)
    }

    private static func one(
        _ rule: String, _ what: String, _ given: [(String, JSONValue)]
    ) async throws -> VectorCase {
        let all = [("what", .string(what))] + given
        let object = JSONObject(all.map { .init(name: $0.0, value: $0.1) })
        let bare = VectorCase(rule, "bytes", given: object, expect: JSONObject())
        return VectorCase(rule, "bytes", given: object, expect: try await compute(bare))
    }

    private static func names(_ world: PINVectorWorld) async throws -> [VectorCase] {
        let proof = world.proofKey.publicKey.jwk
        func set(_ parameters: KeyParameters) throws -> JSONValue {
            ["keys": .array([world.providerKey.publicKey.json, try proof.with(parameters).json])]
        }
        let algorithm = PINProofPublicKey.algorithm
        return try await [
            one(
                "a key id is the RFC 7638 thumbprint", "key_id",
                [("jwk", world.device.publicKey.json)]),
            one("the proof key is the first of its purpose", "proof_key", [("jwks", world.keySet)]),
            one(
                "a proof key has use enc", "proof_key",
                [("jwks", try set(KeyParameters(use: "sig", algorithm: algorithm)))]),
            one(
                "a proof key has a use", "proof_key",
                [("jwks", try set(KeyParameters(algorithm: algorithm)))]),
            one(
                "a proof key has the algorithm of version 2", "proof_key",
                [("jwks", try set(KeyParameters(use: "enc", algorithm: "ECDH-ES")))]),
            one(
                "without the key no proof is sent", "proof_key",
                [("jwks", ["keys": .array([world.providerKey.publicKey.json])])]),
        ]
    }

    private static func challenges(_ world: PINVectorWorld) async throws -> [VectorCase] {
        let p256 = try #require(
            PINTransportPublicKey.known(PINVectorWorld.transportScalar)
        ).bytes
        let x25519 = try Curve25519.KeyAgreement.PrivateKey(
            rawRepresentation: PINVectorWorld.transportScalar
        ).publicKey.rawRepresentation
        func given(_ key: [UInt8]) -> [(String, JSONValue)] {
            [
                ("issuer", .string(PINWorld.issuer)), ("key_id", .string(world.binding.keyID.text)),
                ("nonce", .string(world.nonce.text)), ("transport_key", .base64URL(key)),
            ]
        }
        return try await [
            one(
                "evidence attests to the registration transcript", "registration_challenge",
                given(p256)),
            one(
                "with a key of version 1 the transcript is that of version 1",
                "registration_challenge", given(Array(x25519))),
        ]
    }

    private static func transportKeys() async throws -> [VectorCase] {
        let good = try #require(
            PINTransportPublicKey.known(PINVectorWorld.transportScalar)
        ).bytes
        var off = good
        off[64] ^= 1
        let bad: [(String, [UInt8])] = [
            ("a point is on the curve", off), ("a point is not compressed", [2] + good[1..<33]),
            ("a point has its tag", [5] + good[1...]),
            ("a point is not at infinity", [UInt8](repeating: 0, count: 65)),
            ("a point has 65 bytes", Array(good.dropLast())), ("a point has 65 bytes", good + [0]),
            ("in version 1 a key has no small order", [UInt8](repeating: 0, count: 32)),
            ("in version 1 a key has no small order", [1] + [UInt8](repeating: 0, count: 31)),
        ]
        var cases = try await [
            one("65 bytes are of version 2", "transport_key", [("key", .base64URL(good))]),
            one(
                "32 bytes are of version 1", "transport_key",
                [("key", .base64URL([UInt8](repeating: 9, count: 32)))]),
        ]
        for (rule, bytes) in bad {
            cases.append(try await one(rule, "transport_key", [("key", .base64URL(bytes))]))
        }
        return cases
    }

    private static func pads() async throws -> [VectorCase] {
        func given(_ pin: String, _ rounds: Int64) -> [(String, JSONValue)] {
            [
                ("pin", .string(pin)), ("salt", .base64URL([UInt8](0..<32))),
                ("rounds", .integer(rounds)),
            ]
        }
        return try await [
            one("the pad is PBKDF2 of the digits", "pad", given("24681", 600_000)),
            one("the fewest rounds are 210,000", "pad", given("24681", 210_000)),
            one("digits of other scripts are the same PIN", "pad", given("٢٤٦٨١", 210_000)),
            one("zeros in front count", "pad", given("00024", 210_000)),
            one("a PIN is decimal digits", "pad", given("24 81", 210_000)),
            one("a PIN is decimal digits", "pad", given("2468a", 210_000)),
        ]
    }

    private static func boxes(_ world: PINVectorWorld) async throws -> [VectorCase] {
        func stored(_ rounds: Int64) -> [(String, JSONValue)] { [("rounds", .integer(rounds))] }
        let rule = "a stored box has 210,000 to 10,000,000 rounds"
        return try await [
            one(rule, "stored_rounds", stored(210_000)),
            one(rule, "stored_rounds", stored(10_000_000)),
            one(rule, "stored_rounds", stored(209_999)),
            one(rule, "stored_rounds", stored(10_000_001)),
            one(rule, "stored_rounds", stored(4_294_967_296 + 600_000)),
            one(
                "the box is the secret, padded, bound to version, rounds and salt", "box",
                [
                    ("issuer", .string(PINWorld.issuer)),
                    ("key_id", .string(world.binding.keyID.text)), ("ver", 1),
                    ("pin", "24681"), ("salt", .base64URL([UInt8](0..<32))),
                    ("rounds", 210_000), ("secret", .base64URL(world.secrets[0])),
                ]),
        ]
    }

    // MARK: Running

    private static func run(_ one: VectorCase) async throws -> VectorVerdict {
        .comparing(try await compute(one), one.expect)
    }

    private static func compute(_ one: VectorCase) async throws -> JSONObject {
        switch one.given["what"]?.string {
        case "key_id": try keyID(one)
        case "proof_key": proofKey(one)
        case "registration_challenge": try challenge(one)
        case "transport_key": transportKey(one)
        case "pad": pad(one)
        case "box": try await box(one)
        case "stored_rounds": storedRounds(one)
        default: .refused("unknown")
        }
    }

    private static func keyID(_ one: VectorCase) throws -> JSONObject {
        let key = try JSONWebKey(#require(one.given["jwk"]?.object)).publicKey
        return .accepted([("bytes", .string(PINKeyID(try #require(key)).text))])
    }

    private static func proofKey(_ one: VectorCase) -> JSONObject {
        guard let keys = one.given["jwks"]?.object.flatMap({ try? JWKSet($0) }),
            let key = PINProofPublicKey(in: keys)
        else { return .refused("no_proof_key") }
        return .accepted([("bytes", .base64URL(key.keyID))])
    }

    private static func challenge(_ one: VectorCase) throws -> JSONObject {
        let binding = PINBinding(
            issuer: try #require(one.given["issuer"]?.string),
            keyID: try #require(one.bytes("key_id").flatMap { PINKeyID(bytes: $0) }))
        let nonce = try #require(one.given["nonce"]?.string.flatMap { PINNonce(text: $0) })
        let key = try #require(
            one.bytes("transport_key").flatMap { PINTransportPublicKey(bytes: $0) })
        let bytes = PINRegistrationChallenge.bytes(binding, nonce: nonce, transportKey: key)
        return .accepted([("bytes", .base64URL(bytes))])
    }

    private static func transportKey(_ one: VectorCase) -> JSONObject {
        guard let key = one.bytes("key").flatMap({ PINTransportPublicKey(bytes: $0) }) else {
            return .refused("malformed")
        }
        return .accepted([("version", .integer(Int64(key.protocolVersion.rawValue)))])
    }

    private static func pad(_ one: VectorCase) -> JSONObject {
        guard let text = one.given["pin"]?.string, let digits = digits(text),
            let salt = one.bytes("salt"), let rounds = one.number("rounds"),
            let pad = PINStretching.pbkdf2(digits, salt, UInt32(rounds))
        else { return .refused("not_digits") }
        return .accepted([("bytes", .base64URL(pad))])
    }

    /// As ``DevicePIN`` reads them, which does not show its digits.
    private static func digits(_ text: String) -> [UInt8]? {
        do { _ = try DevicePIN(text) } catch { return nil }
        return text.unicodeScalars.map {
            UInt8(ascii: "0") + UInt8($0.properties.numericValue ?? 0)
        }
    }

    /// A sealing key that shows what it is to seal.
    private final class OpenKey: PINSealingKey {
        let sealed = Mutex<(plaintext: [UInt8], context: [UInt8])>(([], []))

        func seal(
            _ plaintext: [UInt8], context: [UInt8]
        ) async throws(PINSealingKeyError) -> [UInt8] {
            sealed.withLock { $0 = (plaintext, context) }
            return plaintext
        }

        func open(
            _ sealed: [UInt8], context: [UInt8]
        ) async throws(PINSealingKeyError) -> [UInt8] { sealed }
    }

    private static func storedRounds(_ one: VectorCase) -> JSONObject {
        let name = Base64URL.encode([UInt8](repeating: 0, count: 32))
        let text =
            #"{"format":1,"iss":"\#(PINWorld.issuer)","kid":"\#(name)","current":{"ver":1,"rounds":\#(one.number("rounds") ?? 0),"salt":"\#(name)","box":"AA"}}"#
        guard PINDeviceState(json: Array(text.utf8))?.current != nil else {
            return .refused("damaged")
        }
        return .accepted([])
    }

    private static func box(_ one: VectorCase) async throws -> JSONObject {
        let world = try PINVectorWorld()
        let transport = PINTransportKey()
        let version = UInt32(try #require(one.number("ver")))
        let statement = try world.signer.delivery(
            of: PINOfferedSecret(
                version: version, secret: Secret(#require(one.bytes("secret"))),
                transportKey: transport.publicKey),
            to: world.binding.keyID, answering: world.nonce)
        let verifier = PINStatementVerifier(
            keys: try JWKSet([.publicKey(world.providerKey.publicKey)]), binding: world.binding)
        let delivered = try transport.open(
            verifier.delivery(statement, answering: world.nonce))
        let key = OpenKey()
        let sealer = PINSealer(
            key: key,
            stretching: PINStretching(rounds: UInt32(try #require(one.number("rounds")))),
            random: ListedRandom([try #require(one.bytes("salt"))]))
        _ = try await sealer.seal(
            delivered, under: DevicePIN(try #require(one.given["pin"]?.string)))
        let (plaintext, context) = key.sealed.withLock { $0 }
        return .accepted([
            ("inner", .base64URL(plaintext)), ("context", .base64URL(context)),
        ])
    }
}
