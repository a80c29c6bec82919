// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Support
import Testing
import WebAuthn

/// Skipped without ../shared/vectors, see ``L3Vector``.
@Suite(.enabled(if: L3Vector.isPresent)) struct L3VectorTests {
    @Test("All fifteen ceremonies are there")
    func count() {
        #expect(Set(L3Vector.all.map(\.name)).count == 15)
    }

    @Test("A registration is verified, and what it says is read", arguments: L3Vector.all)
    func registration(_ vector: L3Vector) async throws {
        let result = await vector.relyingParty.verify(
            registration: vector.registrationResponse,
            expecting: try vector.registrationExpectation())
        let verified = try result.get()
        #expect(verified.credentialId == hex(vector.registration.credentialId))
        #expect(verified.aaguid.bytes == hex(vector.registration.aaguid))
        #expect(vector.name.hasPrefix(verified.format))
        #expect(verified.signCount == 0)
        #expect(verified.trust == (vector.isCertified ? .anchored : .none))
        #expect(verified.trustPath.count == (vector.isCertified ? 1 : 0))
    }

    @Test("What is neither certified nor asked to be is not enough where anchors are meant")
    func anchorsMeant() async throws {
        for vector in L3Vector.all where !vector.isCertified {
            var expectation = try vector.registrationExpectation()
            expectation.attestation = try AttestationPolicy(
                conveyance: .direct, trustAnchors: [L3Vector.root])
            let result = await vector.relyingParty.verify(
                registration: vector.registrationResponse, expecting: expectation)
            #expect(result.refusal == refusal(.registration, 24, .attestationNotAcceptable))
        }
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
        "Without the root, a certified registration is untrusted at step 24",
        arguments: L3Vector.all)
    func foreignAnchor(_ vector: L3Vector) async throws {
        let stranger = try AttestationAuthority().root.der
        let result = await vector.relyingParty.verify(
            registration: vector.registrationResponse,
            expecting: try vector.registrationExpectation(anchors: [stranger]))
        #expect(
            result.refusal
                == (vector.isCertified ? refusal(.registration, 24, .attestationUntrusted) : nil))
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

    @Test(
        "One changed byte anywhere in a certified registration is refused",
        arguments: L3Vector.all.filter(\.isCertified))
    func mutatedRegistration(_ vector: L3Vector) async throws {
        let good = vector.registrationResponse
        let expectation = try vector.registrationExpectation()
        // Apple and U2F do not sign everything: for example, the flags of a U2F key are unsigned.
        let free = vector.name.hasPrefix("fido-u2f") ? try Self.unsignedByU2F(good) : 0..<0
        for index in good.attestationObject.indices where !free.contains(index) {
            var object = good.attestationObject
            object[index] ^= 0x10
            let result = await vector.relyingParty.verify(
                registration: UnverifiedRegistration(
                    id: good.id, clientDataJSON: good.clientDataJSON, attestationObject: object),
                expecting: expectation)
            #expect(result.refusal != nil, "byte \(index)")
        }
    }

    /// Flags, counter and AAGUID: the 21 bytes behind the RP ID hash.
    private static func unsignedByU2F(_ good: UnverifiedRegistration) throws -> Range<Int> {
        let object = try AttestationObject(cbor: good.attestationObject)
        let start = object.authenticatorData.bytes.startIndex + 32
        return start..<(start + 21)
    }

    @Test("A certified registration cut short anywhere is refused at step 13")
    func truncatedRegistration() async throws {
        let vector = try #require(L3Vector.all.first { $0.name == "packed-es256" })
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

    /// Returns the record of a store, without verifying the format.
    private static func stored(_ vector: L3Vector) throws -> StoredCredential {
        let object = try AttestationObject(cbor: hex(vector.registration.attestationObject))
        let credential = try #require(object.authenticatorData.attestedCredential)
        return StoredCredential(
            id: Array(credential.credentialId), publicKey: Array(credential.publicKeyBytes),
            signCount: 0,
            backupEligible: object.authenticatorData.flags.contains(.backupEligible))
    }
}
