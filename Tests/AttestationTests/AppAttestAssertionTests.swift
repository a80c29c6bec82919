// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import CBOR
import Crypto
import JOSE
import Primitives
import Testing

/// An assertion that would pass, until a test spoils a part of it.
private struct AppAssertion {
    var key = P256.Signing.PrivateKey()
    var application = AppAttestation.application
    var counter: UInt8 = 8
    var storedCounter: UInt32 = 7
    var clientData = challenge + Array("transfer".utf8)
    /// In place of the client data, under the signature.
    var signedData: [UInt8]?
    var signature: [UInt8]?
    var place = AppAttestAssertionVerifier.ChallengeLocation.prefix
    var members: [CBOREntry] = []
    /// Behind the counter.
    var more: [UInt8] = []
    /// In place of the key that was registered.
    var registered: PublicJWK?

    /// With the flag of an attached credential, and none attached: so Apple does it.
    var data: [UInt8] {
        Array(SHA256.hash(data: Array(application.utf8))) + [0x40, 0, 0, 0, counter]
            + more
    }

    func assertion() throws -> [UInt8] {
        let hash = Array(SHA256.hash(data: signedData ?? clientData))
        let nonce = Array(SHA256.hash(data: data + hash))
        let signature = try signature ?? Array(key.signature(for: nonce).derRepresentation)
        return CBORValue.map(
            [
                CBOREntry(.text("signature"), .byteString(signature)),
                CBOREntry(.text("authenticatorData"), .byteString(data)),
            ] + members
        ).encoded(ordering: .ctap2)
    }

    func verify() async throws -> Result<VerifiedAppAttestAssertion, AttestationRefusal> {
        let verifier = AppAttestAssertionVerifier(
            applications: [AppAttestation.application],
            key: try registered ?? key.publicKey.jwk, counter: storedCounter, place: place)
        let evidence: UnverifiedAppAttestAssertion
        let bytes = try assertion()
        do throws(AttestationRefusal) {
            evidence = try UnverifiedAppAttestAssertion(assertion: bytes, clientData: clientData)
        } catch { return .failure(error) }
        return await verifier.verify(
            evidence, expecting: AttestationExpectation(challenge: challenge, now: now))
    }

    static func code(
        _ spoil: (inout AppAssertion) throws -> Void
    ) async throws -> AttestationRefusal.Code? {
        var made = AppAssertion()
        try spoil(&made)
        return try await made.verify().code
    }
}

extension [UInt8] {
    func replacing(_ index: Int, with byte: UInt8) -> [UInt8] {
        var copy = self
        copy[index] = byte
        return copy
    }
}

@Suite("App Attest assertion")
struct AppAttestAssertionTests {
    @Test("An assertion by the attested key is verified, and its counter handed out")
    func verifies() async throws {
        let verified = try await AppAssertion().verify().get()
        #expect(verified.counter == 8)
        #expect(verified.application == AppAttestation.application)
    }

    @Test("The challenge may be in a member of JSON")
    func member() async throws {
        var made = AppAssertion()
        made.place = .member("challenge")
        let object: JSONValue = ["challenge": .string(Base64URL.encode(challenge)), "amount": 5]
        made.clientData = object.bytes
        #expect(try await made.verify().code == nil)
    }

    @Test("What newer systems put behind the counter is signed, and let be")
    func newer() async throws {
        #expect(try await AppAssertion.code { $0.more = [1, 2, 3] } == nil)
    }

    @Test("Check 3: a signature by another key is refused")
    func otherKey() async throws {
        let code = try await AppAssertion.code {
            $0.registered = try P256.Signing.PrivateKey().publicKey.jwk
        }
        #expect(code == .signatureInvalid)
    }

    @Test("Check 3: client data that were not signed are refused")
    func otherClientData() async throws {
        let code = try await AppAssertion.code { $0.signedData = challenge }
        #expect(code == .signatureInvalid)
    }

    @Test(
        "Check 3: a signature of another form is refused",
        arguments: [[], [0x30, 0x00], [UInt8](repeating: 1, count: 64)])
    func signatureForm(_ signature: [UInt8]) async throws {
        let code = try await AppAssertion.code { $0.signature = signature }
        #expect(code == .signatureInvalid)
    }

    @Test("Check 3: a signature hashed once only is refused")
    func hashedOnce() async throws {
        let code = try await AppAssertion.code { made in
            var hash = SHA256()
            hash.update(data: made.data)
            hash.update(data: Array(SHA256.hash(data: made.clientData)))
            made.signature = Array(try made.key.signature(for: hash.finalize()).derRepresentation)
        }
        #expect(code == .signatureInvalid)
    }

    @Test("Check 3: a registered key of another kind is refused")
    func otherKind() async throws {
        let point = Array(P384.Signing.PrivateKey().publicKey.rawRepresentation)
        let key = try PublicJWK(
            .ellipticCurve(.p384, x: Array(point.prefix(48)), y: Array(point.suffix(48))),
            parameters: KeyParameters())
        #expect(try await AppAssertion.code { $0.registered = key } == .keyMismatch)
    }

    @Test("Check 4: another app is refused")
    func otherApplication() async throws {
        let code = try await AppAssertion.code { $0.application = "TEAM123456.org.example.fake" }
        #expect(code == .applicationMismatch)
    }

    @Test("Check 5: a counter that does not increase is refused", arguments: [0, 6, 7])
    func counter(_ counter: UInt8) async throws {
        #expect(try await AppAssertion.code { $0.counter = counter } == .counterNotIncreased)
    }

    @Test("Check 6: client data without the challenge are refused")
    func otherChallenge() async throws {
        let code = try await AppAssertion.code { $0.clientData = Array("transfer".utf8) }
        #expect(code == .challengeMismatch)
    }

    @Test("Check 6: a challenge elsewhere than at the beginning is refused")
    func misplacedChallenge() async throws {
        let code = try await AppAssertion.code { $0.clientData = [0] + challenge }
        #expect(code == .challengeMismatch)
    }

    @Test(
        "Check 6: JSON without the challenge in its member is refused",
        arguments: [
            "", "{}", "[]", #"{"challenge":5}"#, #"{"challenge":"AAAA"}"#,
            #"{"other":"AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA"}"#,
            #"{"challenge":"AAAA","challenge":"AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA"}"#,
        ])
    func memberMissing(_ text: String) async throws {
        let code = try await AppAssertion.code {
            $0.place = .member("challenge")
            $0.clientData = Array(text.utf8)
        }
        #expect(code == .challengeMismatch)
    }

    @Test("A member too many is refused")
    func moreMembers() async throws {
        let code = try await AppAssertion.code {
            $0.members = [CBOREntry(.text("x"), .integer(1))]
        }
        #expect(code == .evidenceMalformed)
    }

    @Test(
        "Bytes that are no assertion are refused",
        arguments: [
            [], [0xA0], [0x80], [0xA1, 0x61, 0x61, 0x01], [UInt8](repeating: 0, count: 5000),
        ])
    func noAssertion(_ bytes: [UInt8]) {
        #expect(throws: AttestationRefusal(.evidenceMalformed, "")) {
            try UnverifiedAppAttestAssertion(assertion: bytes, clientData: [])
        }
    }

    @Test("Every single bit that is turned is refused")
    func everyBit() async throws {
        let made = AppAssertion()
        let bytes = try made.assertion()
        let verifier = AppAttestAssertionVerifier(
            applications: [AppAttestation.application], key: try made.key.publicKey.jwk,
            counter: 7, place: .prefix)
        for index in bytes.indices {
            let turned = bytes.replacing(index, with: bytes[index] ^ (1 << UInt8(index % 8)))
            guard
                let evidence = try? UnverifiedAppAttestAssertion(
                    assertion: turned, clientData: made.clientData)
            else { continue }
            let result = await verifier.verify(
                evidence, expecting: AttestationExpectation(challenge: challenge, now: now))
            #expect(result.code != nil, "byte \(index)")
        }
    }
}
