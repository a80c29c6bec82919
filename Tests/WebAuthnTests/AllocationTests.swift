// SPDX-License-Identifier: Apache-2.0
import JOSE
import Support
import Testing
import WebAuthn

/// How often a ceremony asks for memory, its cryptography included. Counted were 317, 4 to 10 (a
/// signature is as long as its numbers happen to be) and 120; the few more are for the next Swift.
///
/// Skipped where nothing counts: outside glibc, and under a sanitizer.
@Suite(.enabled(if: Allocations.areCounted)) struct AllocationTests {
    @Test("The counter counts")
    func counter() {
        var kept: [[UInt8]] = []
        let count = Allocations.fewest {
            kept = (0..<10).map { [UInt8](repeating: 1, count: 100 + $0) }
        }
        #expect(kept.count == 10)
        #expect(10...30 ~= count)
    }

    @Test("A sign-in by ES256, JSON included")
    func es256() throws {
        var passkey = RegistrationCeremony().passkey
        let json = try passkey.assertion(
            challenge: [UInt8](1...32), origin: RegistrationCeremony.origin
        ).bytes
        let ceremony = AssertionCeremony()
        let stored = StoredCredential(
            id: passkey.credentialId, publicKey: passkey.coseKey, signCount: 0,
            backupEligible: true, userHandle: [7, 7])
        let count = try Allocations.fewest {
            let response = try UnverifiedAssertion(json: json)
            _ = try ceremony.party.verify(
                assertion: response, for: stored, expecting: ceremony.expectation
            ).get()
        }
        #expect(count <= 326)
    }

    @Test("Ten times the client data cost at most the allocations of a few growing buffers")
    func growth() throws {
        let passkey = RegistrationCeremony().passkey
        let small = SoftwareAuthenticator.clientData(
            type: "webauthn.get", challenge: [UInt8](1...32),
            origin: RegistrationCeremony.origin)
        let padding = #","other":""# + String(repeating: "x", count: 2000) + #""}"#
        let large = small.dropLast() + Array(padding.utf8)
        let counts = try [small, large].map { clientData in
            var ceremony = AssertionCeremony()
            ceremony.clientData = clientData
            let json = try passkey.assertion(
                clientData: clientData, authenticatorData: ceremony.passkey.authenticatorData()
            ).bytes
            return try Allocations.fewest {
                let response = try UnverifiedAssertion(json: json)
                _ = try ceremony.party.verify(
                    assertion: response, for: ceremony.stored, expecting: ceremony.expectation
                ).get()
            }
        }
        #expect(counts[1] - counts[0] <= 16)
    }

    @Test("A registration without attestation, taken apart")
    func attestationObject() throws {
        let passkey = RegistrationCeremony().passkey
        let object = passkey.attestationObject(
            authenticatorData: passkey.attestedAuthenticatorData())
        let count = try Allocations.fewest {
            let read = try AttestationObject(cbor: object)
            let credential = try #require(read.authenticatorData.attestedCredential)
            _ = try COSEPublicKey(credential.publicKey)
        }
        #expect(count <= 122)
    }
}
