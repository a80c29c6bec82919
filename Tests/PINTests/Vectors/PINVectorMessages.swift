// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import PINSupport
import Primitives
import Testing

/// Requests that a device makes. HPKE and ECDSA are random, so the parts are compared: header,
/// payload, signature, and the opened proof.
enum PINVectorMessages {
    static let topic = VectorTopic(name: "messages", make: make, run: run)

    // MARK: Making

    private static func make() async throws -> [VectorCase] {
        let world = try PINVectorWorld()
        let rules = [
            ("offer", "a first offer proves nothing", false),
            ("offer", "a change proves the old secret and names the new key", true),
            ("sign-in", "a sign-in proves the secret", true),
            ("commit", "a commit proves the secret", true),
            ("resolve", "a resolution proves nothing", false),
        ]
        var cases: [VectorCase] = []
        for (kind, rule, isProved) in rules {
            for version in [1, 2] where isProved || version == 2 {
                let given = try given(kind, isProved, version, world)
                let bare = VectorCase(rule, "make", given: given, expect: JSONObject())
                let expect = try await compute(bare, world)
                cases.append(VectorCase(rule, "make", given: given, expect: expect))
            }
        }
        return cases
    }

    private static func given(
        _ kind: String, _ isProved: Bool, _ version: Int, _ world: PINVectorWorld
    ) throws -> JSONObject {
        var given = JSONObject.given(
            ("what", .string(kind)), ("issuer", .string(PINWorld.issuer)),
            ("nonce", .string(world.nonce.text)), ("jwks", world.keySet),
            ("keys", try world.keys("device", "transport", "proof")),
            ("ver", .integer(Int64(version))))
        if isProved { given["secret"] = .base64URL(world.secrets[version - 1]) }
        return given
    }

    // MARK: Running

    private static func run(_ one: VectorCase) async throws -> VectorVerdict {
        .comparing(try await compute(one, PINVectorWorld()), one.expect)
    }

    private static func compute(
        _ one: VectorCase, _ world: PINVectorWorld
    ) async throws -> JSONObject {
        let bytes = try await message(one, world)
        let parts = bytes.split(separator: 0x2E).map(Array.init)
        let header = try JSONParser.parseObject(
            #require(Base64URL.decode(bytes: parts[0])), maximumBytes: 4_096)
        var payload = try JSONParser.parseObject(
            #require(Base64URL.decode(bytes: parts[1])), maximumBytes: 4_096)
        let verifier = JWSVerifier(
            key: .publicKey(world.device.publicKey), algorithms: [.es256])
        _ = try verifier.verify(compact: bytes)
        var found = JSONObject.accepted([("header", .object(header))])
        if payload["ct"] != nil {
            let proof = try PINWorldText.openProof(
                payload, with: PINWorld.proofScalar, world.nonce, world.binding)
            found["proof"] = .base64URL(proof)
        }
        (payload["enc"], payload["ct"]) = (nil, nil)
        found["payload"] = .object(payload)
        return found
    }

    private static func message(
        _ one: VectorCase, _ world: PINVectorWorld
    ) async throws -> [UInt8] {
        let requests = try world.requests
        let transport = try #require(
            PINTransportPublicKey.known(PINVectorWorld.transportScalar))
        let version = UInt32(try #require(one.number("ver")))
        guard let bytes = one.bytes("secret") else {
            return one.given["what"] == "resolve"
                ? try await requests.resolve(sealed(version, world), nonce: world.nonce)
                : try await requests.firstOffer(to: transport, nonce: world.nonce)
        }
        let secret = try await world.opened(bytes, version: version)
        return switch one.given["what"]?.string {
        case "sign-in": try await requests.signIn(with: secret, nonce: world.nonce)
        case "commit": try await requests.commit(secret, nonce: world.nonce)
        default:
            try await requests.nextOffer(to: transport, proving: secret, nonce: world.nonce)
        }
    }

    /// A stored secret with that number: a resolution names nothing else.
    private static func sealed(
        _ version: UInt32, _ world: PINVectorWorld
    ) throws -> SealedPINSecret {
        let text =
            #"{"format":1,"iss":"\#(PINWorld.issuer)","kid":"\#(world.binding.keyID.text)","offered":{"ver":\#(version),"rounds":600000,"salt":"\#(Base64URL.encode([UInt8](repeating: 0, count: 32)))","box":"AA"}}"#
        return try #require(PINDeviceState(json: Array(text.utf8))?.offered)
    }
}
