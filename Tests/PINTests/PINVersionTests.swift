// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PIN
import PINSupport
import Primitives
import Testing

/// Both versions at the server, and messages with parts of both.
@Suite struct PINVersionTests {
    private let right = "24681"

    /// An app of version 1, with the secret that it has in memory.
    private struct OldApp {
        let world: PINWorld
        let device: PINTestDevice
        let old: Version1Device
        var secret = Version1Secret(version: 0, bytes: [])

        init(_ world: PINWorld) throws {
            self.world = world
            device = try PINTestDevice(world)
            old = device.version1
        }

        mutating func register() async throws {
            let transport = Curve25519.KeyAgreement.PrivateKey()
            let nonce = world.nonce()
            let answer = try await world.register(
                old.firstOffer(to: Array(transport.publicKey.rawRepresentation), nonce: nonce),
                device.key.publicKey)
            secret = try open(answer, transport)
            _ = try await commit()
        }

        mutating func change(proving proven: Version1Secret) async throws -> PINResponse {
            let transport = Curve25519.KeyAgreement.PrivateKey()
            let answer = try await world.answer(
                old.nextOffer(
                    to: Array(transport.publicKey.rawRepresentation), proving: proven,
                    nonce: world.nonce()))
            guard case .delivery = answer else { return answer }
            secret = try open(answer, transport)
            return try await commit()
        }

        func open(
            _ answer: PINResponse, _ transport: Curve25519.KeyAgreement.PrivateKey
        ) throws -> Version1Secret {
            guard case .delivery(let statement) = answer else {
                throw PINTestDevice.Unexpected(answer)
            }
            let payload = try #require(
                try Version1Device.payload(of: statement, type: "delivery", keys: world.keys))
            return try #require(try old.open(payload, with: transport))
        }

        func commit() async throws -> PINResponse {
            try await world.answer(old.commit(secret, nonce: world.nonce()))
        }

        func signIn(_ wrong: Bool = false) async throws -> PINResponse {
            let secret =
                wrong
                ? Version1Secret(version: secret.version, bytes: secret.bytes.reversed()) : secret
            return try await world.answer(old.signIn(with: secret, nonce: world.nonce()))
        }
    }

    @Test("An app of version 1 registers, signs in, changes its PIN and mistypes as before")
    func version1() async throws {
        let world = try PINWorld(limit: 3)
        var app = try OldApp(world)
        try await app.register()
        #expect(app.secret.version == 1)
        #expect(try await app.signIn() == .accepted)
        #expect(try await app.signIn(true).attemptsUsed == 1)
        guard case .version = try await app.change(proving: app.secret) else {
            Issue.record("no commit")
            return
        }
        #expect(app.secret.version == 2)
        #expect(try await app.signIn() == .accepted)
        #expect(try await app.signIn(true).attemptsUsed == 1)
        let wrong = Version1Secret(version: 2, bytes: [UInt8](repeating: 1, count: 32))
        #expect(try await app.change(proving: wrong).attemptsUsed == 2)
        let statement = try #require(try await app.signIn(true).ending)
        let payload = try Version1Device.payload(of: statement, type: "ending", keys: world.keys)
        #expect(payload?["reason"] == "profile_locked")
    }

    @Test("In version 1 a sign-in with the offered secret is refused, and not counted")
    func version1Promotes() async throws {
        let world = try PINWorld()
        var app = try OldApp(world)
        let transport = Curve25519.KeyAgreement.PrivateKey()
        let answer = try await world.register(
            app.old.firstOffer(
                to: Array(transport.publicKey.rawRepresentation), nonce: world.nonce()),
            app.device.key.publicKey)
        app.secret = try app.open(answer, transport)
        #expect(try await app.signIn() == .refused)
        #expect(try await app.signIn(true) == .refused)
        #expect(app.device.record?.attemptsUsed == 0)
        let resolved = try await world.answer(app.old.resolve(1, nonce: world.nonce()))
        guard case .version(let statement) = resolved else {
            Issue.record("no version")
            return
        }
        let payload = try Version1Device.payload(of: statement, type: "version", keys: world.keys)
        #expect(payload?["ver"] == 0)
    }

    @Test("Both versions count the same attempts of one record")
    func sharedAttempts() async throws {
        let world = try PINWorld(limit: 3)
        let device = try await world.device(pin: right)
        let secret = Version1Secret(
            version: 1, bytes: try #require(world.vault.secret(of: device.record)))
        let wrong = Version1Secret(version: 1, bytes: secret.bytes.reversed())
        #expect(try await device.signIn("11223").attemptsUsed == 1)
        let old = try await device.version1.signIn(with: wrong, nonce: world.nonce())
        #expect(try await world.answer(old).attemptsUsed == 2)
        let good = try await device.version1.signIn(with: secret, nonce: world.nonce())
        #expect(try await world.answer(good) == .accepted)
        #expect(device.record?.attemptsUsed == 0)
    }

    @Test("Attack 115: a message that mixes the versions is no request")
    func mixed() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        let old = device.version1
        let nonce = world.nonce()
        let text = Base64URL.encode([UInt8](repeating: 7, count: 32))
        let p256 = Base64URL.encode(PINTransportKey().publicKey.bytes)
        let x25519 = Base64URL.encode(
            Array(Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation))
        let sealed =
            #""ver":1,"proof_key":"\#(text)","enc":"\#(p256)","ct":"\#(Base64URL.encode([UInt8](repeating: 9, count: 48)))""#
        let plain = #""ver":1,"proof":"\#(text)""#
        let messages = [
            ("gatehouse-pin-sign-in+jwt", sealed), ("gatehouse-pin2-sign-in+jwt", plain),
            ("gatehouse-pin-commit+jwt", sealed), ("gatehouse-pin2-commit+jwt", plain),
            ("gatehouse-pin-offer+jwt", #""transport_key":"\#(p256)""#),
            ("gatehouse-pin2-offer+jwt", #""transport_key":"\#(x25519)""#),
            ("gatehouse-pin-offer+jwt", #""transport_key":"\#(x25519)",\#(sealed)"#),
            ("gatehouse-pin2-offer+jwt", #""transport_key":"\#(p256)",\#(plain)"#),
        ]
        for (type, members) in messages {
            let bytes = try await old.message(type, nonce, members)
            #expect(UnverifiedPINRequest(compact: bytes) == nil, "\(type) \(members)")
        }
        // The same messages, each in one version, are requests.
        for (type, members) in [
            ("gatehouse-pin-sign-in+jwt", plain), ("gatehouse-pin2-sign-in+jwt", sealed),
            ("gatehouse-pin-offer+jwt", #""transport_key":"\#(x25519)",\#(plain)"#),
            ("gatehouse-pin2-offer+jwt", #""transport_key":"\#(p256)",\#(sealed)"#),
        ] {
            let bytes = try await old.message(type, nonce, members)
            #expect(UnverifiedPINRequest(compact: bytes) != nil, "\(type) \(members)")
        }
    }

    @Test("Attack 115: a proof of one version is wrong in the other")
    func proofOfTheOtherVersion() async throws {
        let world = try PINWorld(limit: 3)
        let device = try await world.device(pin: right)
        let secret = try #require(world.vault.secret(of: device.record))
        let nonce = world.nonce()
        let tag = PINWorldText.signInProof(
            with: secret, version: 1, nonce, device.requests.binding)
        let bytes = try await device.version1.message(
            "gatehouse-pin-sign-in+jwt", nonce,
            #""ver":1,"proof":"\#(Base64URL.encode(tag))""#)
        #expect(try await world.answer(bytes).attemptsUsed == 1)
    }

    @Test("Attack 115: a device of version 2 does not accept the statements of version 1")
    func statementsOfVersion1() throws {
        let world = try PINWorld()
        let device = try PINTestDevice(world)
        let nonce = world.nonce()
        let version = try world.signer.version(
            0, to: device.keyID, answering: nonce, in: .one)
        let ending = try world.signer.ending(
            .deviceRevoked, of: device.keyID, now: PINWorld.now, in: .one)
        let transport = Array(Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation)
        let delivery = try world.signer.delivery(
            of: PINOfferedSecret(
                version: 1, secret: Secret([UInt8](repeating: 1, count: 32)),
                transportKey: #require(PINTransportPublicKey(bytes: transport))),
            to: device.keyID, answering: nonce)
        #expect(throws: PINStatementError.unverifiable) {
            try device.statements.version(version, answering: nonce)
        }
        #expect(throws: PINStatementError.unverifiable) { try device.statements.ending(ending) }
        #expect(throws: PINStatementError.unverifiable) {
            try device.statements.delivery(delivery, answering: nonce)
        }
    }

    @Test("Attack 115: without the provider's key for proofs, a device sends no proof at all")
    func strippedKey() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        let stripped = try #require(PINRequestSigner(issuer: PINWorld.issuer, key: device.key))
        let secret = try await device.open(right)
        await #expect(throws: PINRequestSigner.NoProofKey.self) {
            try await stripped.signIn(with: secret, nonce: world.nonce())
        }
        await #expect(throws: PINRequestSigner.NoProofKey.self) {
            try await stripped.commit(secret, nonce: world.nonce())
        }
        await #expect(throws: PINRequestSigner.NoProofKey.self) {
            try await stripped.nextOffer(
                to: PINTransportKey().publicKey, proving: secret, nonce: world.nonce())
        }
    }

    @Test("Attack 115: a key of another purpose in the JWK set is not used for proofs")
    func otherKeys() throws {
        let right = try #require(
            PINProofKey(scalar: Secret([UInt8](repeating: 3, count: 32)))
        ).publicKey.jwk
        #expect(right.parameters.keyID == right.thumbprintText)
        #expect(PINProofPublicKey(right) != nil)
        for (use, algorithm) in [
            ("sig", PINProofPublicKey.algorithm), ("enc", "ECDH-ES"), ("enc", nil),
            (nil, PINProofPublicKey.algorithm), ("enc", "gatehouse-pin3-proof"),
        ] {
            let other = try right.with(KeyParameters(use: use, algorithm: algorithm))
            #expect(PINProofPublicKey(other) == nil)
            #expect(PINProofPublicKey(in: try JWKSet([.publicKey(other)])) == nil)
        }
        let curve = try PrivateJWK.generate(for: .es384).publicKey.with(
            KeyParameters(use: "enc", algorithm: PINProofPublicKey.algorithm))
        #expect(PINProofPublicKey(curve) == nil)
    }
}
