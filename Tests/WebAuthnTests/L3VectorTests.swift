// SPDX-License-Identifier: Apache-2.0
import CBOR
import Primitives
import Support
import Testing
import WebAuthn

/// Skipped without ../shared/vectors, see ``L3Vector``.
@Suite(.enabled(if: L3Vector.isPresent)) struct L3VectorTests {
    @Test("Ten ceremonies are there, seven of formats that are verified here")
    func count() {
        #expect(L3Vector.all.count == 10)
        #expect(L3Vector.supported.count == 7)
    }

    @Test("A registration is verified, and what it says is read", arguments: L3Vector.supported)
    func registration(_ vector: L3Vector) async throws {
        let result = await vector.relyingParty.verify(
            registration: vector.registrationResponse,
            expecting: try vector.registrationExpectation())
        let verified = try result.get()
        #expect(verified.credentialId == hex(vector.registration.credentialId))
        #expect(verified.aaguid.bytes == hex(vector.registration.aaguid))
        #expect(verified.format == vector.format)
        #expect(verified.signCount == 0)
        let isCertified = vector.format == "packed" && !vector.name.contains("self")
        #expect(verified.trust == (isCertified ? .anchored : .none))
        #expect(verified.trustPath.count == (isCertified ? 1 : 0))
    }

    @Test("A sign-in with the registered key is verified", arguments: L3Vector.all)
    func authentication(_ vector: L3Vector) throws {
        let stored = try Self.stored(vector)
        let result = vector.relyingParty.verify(
            assertion: vector.assertionResponse, for: stored,
            expecting: vector.assertionExpectation)
        let verified = try result.get()
        #expect(verified.credentialId == stored.id)
        #expect(verified.signCountOutcome == .notCounted)
    }

    @Test(
        "A format that is not verified here is refused at step 21", arguments: L3Vector.unsupported)
    func unsupportedFormat(_ vector: L3Vector) async throws {
        let result = await vector.relyingParty.verify(
            registration: vector.registrationResponse,
            expecting: try vector.registrationExpectation())
        #expect(result.refusal == refusal(.registration, 21, .attestationFormatUnsupported))
    }

    @Test(
        "Without the root, a certified registration is untrusted at step 24",
        arguments: L3Vector.supported)
    func foreignAnchor(_ vector: L3Vector) async throws {
        let stranger = try AttestationAuthority().root.der
        let result = await vector.relyingParty.verify(
            registration: vector.registrationResponse,
            expecting: try vector.registrationExpectation(anchors: [stranger]))
        let isCertified = vector.format == "packed" && !vector.name.contains("self")
        #expect(
            result.refusal
                == (isCertified ? refusal(.registration, 24, .attestationUntrusted) : nil))
    }

    @Test("A cross-origin ceremony is refused at step 10 where none is expected")
    func crossOrigin() async throws {
        let vector = try #require(L3Vector.all.first { $0.isCrossOrigin })
        let party = RelyingParty(id: "example.org", origins: ["https://example.org"])
        let result = await party.verify(
            registration: vector.registrationResponse,
            expecting: try vector.registrationExpectation())
        #expect(result.refusal == refusal(.registration, 10, .crossOriginNotAllowed))
        let assertion = party.verify(
            assertion: vector.assertionResponse, for: try Self.stored(vector),
            expecting: vector.assertionExpectation)
        #expect(assertion.refusal == refusal(.authentication, 13, .crossOriginNotAllowed))
    }

    @Test("One changed byte anywhere in a signed sign-in is refused", arguments: L3Vector.all)
    func mutatedAssertion(_ vector: L3Vector) throws {
        let stored = try Self.stored(vector)
        let random = SeededRandom(seed: 72)
        let good = vector.assertionResponse
        for round in 0..<60 {
            var parts = [good.authenticatorData, good.signature, good.clientDataJSON]
            let part = round % 3
            let index = Int(random.next() % UInt64(parts[part].count))
            parts[part][index] ^= UInt8(1 << (random.next() % 8))
            let spoilt = UnverifiedAssertion(
                id: good.id, clientDataJSON: parts[2], authenticatorData: parts[0],
                signature: parts[1])
            let result = vector.relyingParty.verify(
                assertion: spoilt, for: stored, expecting: vector.assertionExpectation)
            #expect(result.refusal != nil, "part \(part), byte \(index)")
        }
    }

    @Test("One changed byte anywhere in a certified registration is refused")
    func mutatedRegistration() async throws {
        let vector = try #require(L3Vector.supported.first { $0.name == "packed-es256" })
        let good = vector.registrationResponse
        let expectation = try vector.registrationExpectation()
        for index in good.attestationObject.indices {
            var object = good.attestationObject
            object[index] ^= 0x10
            let result = await vector.relyingParty.verify(
                registration: UnverifiedRegistration(
                    id: good.id, clientDataJSON: good.clientDataJSON, attestationObject: object),
                expecting: expectation)
            #expect(result.refusal != nil, "byte \(index)")
        }
    }

    @Test("A certified registration cut short anywhere is refused at step 13")
    func truncatedRegistration() async throws {
        let vector = try #require(L3Vector.supported.first { $0.name == "packed-es256" })
        let good = vector.registrationResponse
        let expectation = try vector.registrationExpectation()
        for length in good.attestationObject.indices {
            let result = await vector.relyingParty.verify(
                registration: UnverifiedRegistration(
                    id: good.id, clientDataJSON: good.clientDataJSON,
                    attestationObject: Array(good.attestationObject.prefix(length))),
                expecting: expectation)
            #expect(
                result.refusal == refusal(.registration, 13, .attestationObjectMalformed))
        }
    }

    /// What a store would hold, read without judging the format.
    private static func stored(_ vector: L3Vector) throws -> StoredCredential {
        let object = try AttestationObject(cbor: hex(vector.registration.attestationObject))
        let credential = try #require(object.authenticatorData.attestedCredential)
        return StoredCredential(
            id: Array(credential.credentialId), publicKey: Array(credential.publicKeyBytes),
            signCount: 0,
            backupEligible: object.authenticatorData.flags.contains(.backupEligible))
    }
}
