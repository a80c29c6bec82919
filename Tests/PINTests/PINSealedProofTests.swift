// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import PINSupport
import Primitives
import Support
import Testing

/// Proofs of version 2 are sealed to the provider.
@Suite struct PINSealedProofTests {
    private let right = "24681"

    private func payload(_ request: [UInt8]) throws -> JSONObject {
        try JSONParser.parseObject(
            #require(Base64URL.decode(bytes: request.split(separator: 0x2E)[1])),
            maximumBytes: 4_096)
    }

    @Test("Attack 117: a recording and the opened store give nothing to try a PIN on")
    func recording() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        let nonce = world.nonce()
        let recorded = try await device.signInRequest(right, nonce: nonce)
        #expect(try await world.answer(recorded) == .accepted)
        let record = try payload(recorded)
        var found: [String] = []
        for pin in ["11221", "11222", right, "86421"] {
            // The thief opens the store with each PIN and makes the same request.
            let opened = try await device.open(pin)
            let candidate = try payload(
                await device.requests.signIn(with: opened, nonce: nonce))
            #expect(candidate["ct"] != record["ct"] && candidate["enc"] != record["enc"])
            #expect(candidate["proof"] == nil)
            // Only who has the provider's key can compare.
            let tags = try [candidate, record].map {
                try PINWorldText.openProof(
                    $0, with: PINWorld.proofScalar, nonce, device.requests.binding)
            }
            if tags[0] == tags[1] { found.append(pin) }
        }
        #expect(found == [right])
    }

    @Test("Attack 118: a sealed proof in another request is not a guess, right or wrong")
    func movedProof() async throws {
        let world = try PINWorld(limit: 2)
        let device = try await world.device(pin: right)
        let other = try await world.device(pin: right)
        let members = { (object: JSONObject) throws -> String in
            let names = ["ver", "proof_key", "enc", "ct"]
            let part = JSONObject(object.members.filter { names.contains($0.name) })
            return String(String(decoding: part.bytes, as: UTF8.self).dropFirst().dropLast())
        }
        let mine = try members(payload(try await device.signInRequest(right)))
        let theirs = try members(payload(try await other.signInRequest(right)))
        for proof in [mine, theirs] {
            // Another nonce, rightly signed.
            let bytes = try await device.version1.message(
                "gatehouse-pin2-sign-in+jwt", world.nonce(), proof)
            #expect(try await world.answer(bytes) == .refused)
        }
        #expect(device.record?.attemptsUsed == 0 && other.record?.attemptsUsed == 0)
        #expect(try await device.signIn(right) == .accepted)
    }

    @Test("Attack 118: a sealed proof for one purpose is wrong for another, and counted")
    func otherPurpose() async throws {
        let world = try PINWorld(limit: 3)
        let device = try await world.device(pin: right)
        let nonce = world.nonce()
        let signIn = try payload(try await device.signInRequest(right, nonce: nonce))
        let proof = JSONObject(
            signIn.members.filter { !["aud", "jti"].contains($0.name) })
        let text = String(String(decoding: proof.bytes, as: UTF8.self).dropFirst().dropLast())
        let bytes = try await device.version1.message("gatehouse-pin2-commit+jwt", nonce, text)
        #expect(try await world.answer(bytes).attemptsUsed == 1)
    }

    @Test("A proof for a retired or foreign key is refused, and a right one sent again is accepted")
    func foreignKey() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        let foreign = try #require(PINProofKey(scalar: Secret([UInt8](repeating: 4, count: 32))))
        let requests = device.requests.sealing(to: foreign.publicKey)
        for pin in [right, "11223"] {
            let bytes = try await requests.signIn(
                with: device.open(pin), nonce: world.nonce())
            #expect(UnverifiedPINRequest(compact: bytes)?.proofKeyID == foreign.publicKey.keyID)
            #expect(try await world.answer(bytes) == .refused)
        }
        #expect(device.record?.attemptsUsed == 0)
        #expect(try await device.signIn(right) == .accepted)
    }

    @Test("An earlier key of the provider still opens proofs")
    func rotatedKey() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        let new = try #require(PINProofKey(scalar: Secret([UInt8](repeating: 4, count: 32))))
        let verifier = PINVerifier(
            issuer: PINWorld.issuer, limit: .standard, vault: world.vault,
            proofKeys: [new, world.proofKey], random: world.random)
        for requests in [device.requests, device.requests.sealing(to: new.publicKey)] {
            let bytes = try await requests.signIn(
                with: device.open(right), nonce: world.nonce())
            let request = try #require(UnverifiedPINRequest(compact: bytes))
            let decision = try verifier.verify(request, device.record)
            #expect(decision.outcome == .accepted(version: 1, wrongBefore: 0))
        }
    }

    @Test("A key for proofs is a scalar of P-256")
    func scalars() {
        #expect(PINProofKey(scalar: Secret([UInt8](repeating: 0, count: 32))) == nil)
        #expect(PINProofKey(scalar: Secret([UInt8](repeating: 255, count: 32))) == nil)
        #expect(PINProofKey(scalar: Secret([UInt8](repeating: 1, count: 31))) == nil)
        #expect(PINTransportPublicKey.known([UInt8](repeating: 0, count: 32)) == nil)
        #expect(PINTransportPublicKey.known([UInt8](repeating: 1, count: 32)) != nil)
    }

    @Test("Requests without a proof need no key of the provider")
    func withoutProof() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        let bare = try #require(PINRequestSigner(issuer: PINWorld.issuer, key: device.key))
        let offer = try await bare.firstOffer(
            to: PINTransportKey().publicKey, nonce: world.nonce())
        let resolve = try await bare.resolve(
            try #require(device.state.current), nonce: world.nonce())
        for bytes in [offer, resolve] {
            let request = try #require(UnverifiedPINRequest(compact: bytes))
            #expect(request.proofKeyID == nil && request.protocolVersion == .two)
        }
    }
}
