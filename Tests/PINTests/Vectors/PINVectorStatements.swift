// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PIN
import PINSupport
import Primitives
import Testing

/// The server's statements as a device verifies them.
enum PINVectorStatements {
    static let topic = VectorTopic(name: "statements", make: make, run: run)

    // MARK: Making

    private static func make() async throws -> [VectorCase] {
        let world = try PINVectorWorld()
        var cases: [VectorCase] = []
        for (rule, kind, statement) in try good(world) + foreign(world) + forged(world)
            + payloads(world)
        {
            cases.append(try await one(rule, kind, statement, world))
        }
        return cases
    }

    private typealias Statement = (rule: String, kind: String, bytes: [UInt8])

    private static func one(
        _ rule: String, _ kind: String, _ statement: [UInt8], _ world: PINVectorWorld
    ) async throws -> VectorCase {
        let given = JSONObject.given(
            ("what", .string(kind)), ("issuer", .string(PINWorld.issuer)),
            ("key_id", .string(world.binding.keyID.text)), ("nonce", .string(world.nonce.text)),
            ("jwks", world.keySet), ("keys", try world.keys("transport")))
        let bare = VectorCase(
            rule, "read", input: .string(String(decoding: statement, as: UTF8.self)),
            given: given, expect: JSONObject())
        return VectorCase(
            rule, "read", input: bare.input, given: given, expect: try await read(bare))
    }

    private static func transport(_ scalar: [UInt8]) throws -> PINTransportPublicKey {
        try #require(PINTransportPublicKey.known(scalar))
    }

    private static func delivery(
        _ world: PINVectorWorld, scalar: [UInt8] = PINVectorWorld.transportScalar,
        signer: PINStatementSigner? = nil, to keyID: PINKeyID? = nil, nonce: PINNonce? = nil
    ) throws -> [UInt8] {
        try (signer ?? world.signer).delivery(
            of: PINOfferedSecret(
                version: 1, secret: Secret(world.secrets[0]), transportKey: transport(scalar)),
            to: keyID ?? world.binding.keyID, answering: nonce ?? world.nonce)
    }

    private static func good(_ world: PINVectorWorld) throws -> [Statement] {
        let keyID = world.binding.keyID
        return try [
            ("a delivery opens with the transport key", "delivery", delivery(world)),
            (
                "a version is the active one", "version",
                world.signer.version(3, to: keyID, answering: world.nonce, in: .two)
            ),
            (
                "version 0 means none", "version",
                world.signer.version(0, to: keyID, answering: world.nonce, in: .two)
            ),
            (
                "an end has a reason", "ending",
                world.signer.ending(.profileLocked, of: keyID, now: PINWorld.now, in: .two)
            ),
            (
                "an end has a reason", "ending",
                world.signer.ending(.deviceRevoked, of: keyID, now: PINWorld.now, in: .two)
            ),
        ]
    }

    private static func foreign(_ world: PINVectorWorld) throws -> [Statement] {
        let keyID = world.binding.keyID
        let other = PINKeyID(world.other.publicKey)
        let nonce = try #require(
            PINNonce(text: Base64URL.encode([UInt8](repeating: 8, count: 32))))
        let elsewhere = PINStatementSigner(
            issuer: "https://elsewhere.example", signer: try JOSESigner(world.providerKey))
        return try [
            (
                "a statement is for one key", "version",
                world.signer.version(3, to: other, answering: world.nonce, in: .two)
            ),
            (
                "a statement answers one nonce", "version",
                world.signer.version(3, to: keyID, answering: nonce, in: .two)
            ),
            (
                "a statement is of one issuer", "version",
                elsewhere.version(3, to: keyID, answering: world.nonce, in: .two)
            ),
            (
                "an end is for one key", "ending",
                world.signer.ending(.deviceRevoked, of: other, now: PINWorld.now, in: .two)
            ),
            ("a delivery answers one nonce", "delivery", delivery(world, nonce: nonce)),
            (
                "a delivery opens with its transport key only", "delivery",
                delivery(world, scalar: [UInt8](repeating: 8, count: 32))
            ),
        ]
    }

    private static func forged(_ world: PINVectorWorld) throws -> [Statement] {
        let keyID = world.binding.keyID
        let stranger = PINStatementSigner(
            issuer: PINWorld.issuer,
            signer: try JOSESigner(
                try PrivateJWK(scalar: Secret(PINVectorWorld.otherScalar), on: .p256).with(
                    KeyParameters(
                        keyID: world.providerKey.publicKey.thumbprintText, algorithm: "ES256"))))
        let version = try world.signer.version(3, to: keyID, answering: world.nonce, in: .two)
        var changed = version
        changed[changed.count / 2] ^= 1
        return try [
            (
                "a statement is signed by the provider", "ending",
                stranger.ending(.profileLocked, of: keyID, now: PINWorld.now, in: .two)
            ),
            ("a statement is unchanged", "version", changed),
            ("a version is not an end", "ending", version),
            ("a version is not a delivery", "delivery", version),
            (
                "an end is not a version", "version",
                world.signer.ending(.deviceRevoked, of: keyID, now: PINWorld.now, in: .two)
            ),
            (
                "a statement of version 1 is none of version 2", "version",
                world.signer.version(3, to: keyID, answering: world.nonce, in: .one)
            ),
            (
                "an end of version 1 is none of version 2", "ending",
                world.signer.ending(.deviceRevoked, of: keyID, now: PINWorld.now, in: .one)
            ),
            ("a reason is not a statement", "ending", Array("profile_locked".utf8)),
        ]
    }

    /// Rightly signed statements with members that cannot be.
    private static func payloads(_ world: PINVectorWorld) throws -> [Statement] {
        let head = #""iss":"\#(PINWorld.issuer)","aud":"\#(world.binding.keyID.text)""#
        let nonce = #""nonce":"\#(world.nonce.text)""#
        let all = [
            ("a version is not negative", "version", #"{\#(head),\#(nonce),"ver":-1}"#),
            ("a statement has no member more", "version", #"{\#(head),\#(nonce),"ver":1,"a":1}"#),
            ("a version has a number", "version", #"{\#(head),\#(nonce)}"#),
            ("reasons are known", "ending", #"{\#(head),"iat":1800000000,"reason":"other"}"#),
            ("an end has a time", "ending", #"{\#(head),"reason":"profile_locked"}"#),
            (
                "an end has no nonce", "ending",
                #"{\#(head),\#(nonce),"iat":1800000000,"reason":"profile_locked"}"#
            ),
            (
                "ct has 48 bytes", "delivery",
                #"{\#(head),\#(nonce),"ver":1,"enc":"AA","ct":"AA"}"#
            ),
        ]
        let signer = try JOSESigner(world.providerKey)
        return try all.map { rule, kind, payload in
            (
                rule, kind,
                try signer.sign(payload: Array(payload.utf8), typ: "gatehouse-pin2-\(kind)+jwt")
            )
        }
    }

    // MARK: Running

    private static func run(_ one: VectorCase) async throws -> VectorVerdict {
        .comparing(try await read(one), one.expect)
    }

    private static func read(_ one: VectorCase) async throws -> JSONObject {
        let verifier = PINStatementVerifier(
            keys: try JWKSet(#require(one.given["jwks"]?.object)),
            binding: PINBinding(
                issuer: try #require(one.given["issuer"]?.string),
                keyID: try #require(one.bytes("key_id").flatMap { PINKeyID(bytes: $0) })))
        let nonce = try #require(one.given["nonce"]?.string.flatMap { PINNonce(text: $0) })
        let statement = Array((one.input?.string ?? "").utf8)
        do {
            switch one.given["what"]?.string {
            case "version":
                let version = try verifier.version(statement, answering: nonce).version
                return .accepted([("ver", .integer(Int64(version)))])
            case "ending":
                let ending = try verifier.ending(statement)
                return .accepted([
                    ("reason", .string(ending.ending.rawValue)),
                    ("iat", .integer(ending.at.seconds)),
                ])
            default: break
            }
            let delivered = try key(of: one).open(
                verifier.delivery(statement, answering: nonce))
            return try await shown(delivered)
        } catch let error as PINStatementError {
            return .refused(code(error))
        }
    }

    private static func key(of one: VectorCase) throws -> PINTransportKey {
        let scalar = try #require(
            one.given["keys"]?["transport"]?["d"]?.string.flatMap { Base64URL.decode($0) })
        guard let key = PINTransportKey(scalar: Secret(scalar)) else {
            throw PINStatementError.deliveryUnusable
        }
        return key
    }

    /// A delivered secret is not legible, but what it proves is.
    private static func shown(
        _ delivered: consuming DeliveredPINSecret
    ) async throws -> JSONObject {
        let world = try PINVectorWorld()
        let version = delivered.version
        let sealing = try #require(SoftwareSealingKey(Secret([UInt8](repeating: 9, count: 32))))
        let sealer = PINSealer(key: sealing, stretching: .quick, random: ListedRandom([]))
        let secret = try await sealer.seal(delivered, under: DevicePIN("24681")).secret
        let request = try await world.requests.signIn(with: secret, nonce: world.nonce)
        let payload = try JSONParser.parseObject(
            #require(Base64URL.decode(bytes: request.split(separator: 0x2E)[1])),
            maximumBytes: 4_096)
        let proof = try PINWorldText.openProof(
            payload, with: PINWorld.proofScalar, world.nonce, world.binding)
        let known = world.secrets.first {
            PINWorldText.signInProof(
                with: $0, version: Int(version), world.nonce, world.binding) == proof
        }
        return .accepted([
            ("ver", .integer(Int64(version))), ("secret", .base64URL(known ?? [])),
        ])
    }

    private static func code(_ error: PINStatementError) -> String {
        switch error {
        case .unverifiable: "unverifiable"
        case .notForUs: "not_for_us"
        case .deliveryUnusable: "delivery_unusable"
        }
    }
}
