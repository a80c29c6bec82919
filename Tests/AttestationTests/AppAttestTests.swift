// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import JOSE
import Primitives
import Testing
import WebAuthn
import X509

@Suite("App Attest attestation")
struct AppAttestTests {
    @Test("A key of a genuine app is verified, and its receipt read")
    func verifies() async throws {
        let made = try AppAttestation()
        let verified = try await made.verify().get()
        #expect(verified.key == (try made.key.publicKey.jwk))
        #expect(verified.application == AppAttestation.application)
        #expect(verified.environment == .development)
        #expect(verified.category == nil)
        #expect(verified.receipt?.type == "ATTEST")
        #expect(verified.receipt?.riskMetric == nil)
    }

    @Test("A production key is verified where production is expected")
    func production() async throws {
        var made = try AppAttestation()
        made.aaguid = Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
        made.receiptFields.environment = "production"
        let result = try await made.verify(made.verifier(environment: .production))
        #expect(result.code == nil)
    }

    // MARK: The checks in their order

    @Test("Check 1: a chain to another root is refused")
    func otherRoot() async throws {
        let (made, stranger) = (try AppAttestation(), try AttestationAuthority())
        let verifier = AppAttestVerifier(
            applications: [AppAttestation.application], environment: .development,
            roots: try stranger.roots)
        #expect(try await made.verify(verifier).code == .chainUntrusted)
    }

    @Test("Check 1: without any root nothing is trusted")
    func noRoot() async throws {
        let verifier = AppAttestVerifier(
            applications: [AppAttestation.application], environment: .development, roots: .none)
        #expect(try await AppAttestation().verify(verifier).code == .chainUntrusted)
    }

    @Test("Check 1: a leaf that has expired is refused, three days are short")
    func expired() async throws {
        let made = try AppAttestation()
        let late = AttestationExpectation(
            challenge: challenge, now: Timestamp(seconds: 1_900_000_001))
        #expect(try await made.verify(expecting: late).code == .chainUntrusted)
    }

    @Test("Check 1: a leaf that is not valid yet is refused")
    func early() async throws {
        let early = AttestationExpectation(
            challenge: challenge, now: Timestamp(seconds: 1_699_999_999))
        #expect(try await AppAttestation().verify(expecting: early).code == .chainUntrusted)
    }

    @Test("Check 1: an intermediate that is no authority is refused")
    func noAuthority() async throws {
        let authority = try AttestationAuthority(
            intermediate: .init(constraints: .notCertificateAuthority))
        #expect(try await AppAttestation(authority: authority).verify().code == .chainUntrusted)
    }

    @Test("Check 1: a leaf signed by another key of the same name is refused")
    func otherIntermediate() async throws {
        let code = try await AppAttestation.code { made in
            let path = try AppAttestation().path()
            made.certificates = [path[0], try made.authority.intermediate.der]
        }
        #expect(code == .chainUntrusted)
    }

    @Test("Check 1: a root that comes along in place of the intermediate is refused")
    func rootAlong() async throws {
        let code = try await AppAttestation.code { made in
            made.certificates = [try made.path()[0], try made.authority.root.der]
        }
        #expect(code == .chainMalformed || code == .chainUntrusted)
    }

    @Test("Check 3: a nonce for another challenge is refused")
    func otherChallenge() async throws {
        let other = AttestationExpectation(challenge: [UInt8](2...33), now: now)
        #expect(try await AppAttestation().verify(expecting: other).code == .challengeMismatch)
    }

    @Test("Check 3: an empty challenge is refused even where it fits")
    func emptyChallenge() async throws {
        var made = try AppAttestation()
        let nonce = Array(SHA256.hash(data: made.authenticatorData))
        made.nonceExtension = der([0x30], der([0xA1], der([0x04], nonce)))
        let empty = AttestationExpectation(challenge: [], now: now)
        #expect(try await made.verify(expecting: empty).code == .challengeMismatch)
    }

    @Test("Check 3: a leaf without the nonce is refused")
    func noNonce() async throws {
        #expect(try await AppAttestation.code { $0.hasNonce = false } == .extensionMissing)
    }

    @Test(
        "Check 3: a nonce extension of another form is refused",
        arguments: [
            [], [0x05, 0x00], der([0x04], [1]), der([0x30], []), der([0x30], der([0x04], [1])),
            der([0x30], der([0xA2], der([0x04], [1]))),
            der([0x30], der([0xA1], der([0x02], [1]))),
            der([0x30], der([0xA1], der([0x04], [1])) + der([0xA1], der([0x04], [1]))),
        ])
    func nonceForm(_ value: [UInt8]) async throws {
        #expect(try await AppAttestation.code { $0.nonceExtension = value } == .extensionMalformed)
    }

    @Test("Check 4: a key identifier of another key is refused")
    func keyIdentifier() async throws {
        let code = try await AppAttestation.code {
            $0.keyIdentifier = [UInt8](repeating: 7, count: 32)
        }
        #expect(code == .keyIdentifierMismatch)
    }

    @Test("Check 5: the attestation of another app is refused")
    func otherApplication() async throws {
        let code = try await AppAttestation.code {
            $0.application = "TEAM123456.org.example.notes.fake"
        }
        #expect(code == .applicationMismatch)
    }

    @Test("Check 6: a counter that has counted is refused")
    func counter() async throws {
        #expect(try await AppAttestation.code { $0.counter = 1 } == .counterNotZero)
    }

    @Test("Check 7: a development key is refused in production, and the other way round")
    func environment() async throws {
        let made = try AppAttestation()
        let result = try await made.verify(made.verifier(environment: .production))
        #expect(result.code == .environmentMismatch)
        let code = try await AppAttestation.code {
            $0.aaguid = Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
        }
        #expect(code == .environmentMismatch)
    }

    @Test("Check 7: a model that is neither is refused")
    func otherModel() async throws {
        let code = try await AppAttestation.code {
            $0.aaguid = [UInt8](repeating: 0, count: 16)
        }
        #expect(code == .environmentMismatch)
    }

    @Test("Check 8: another credential identifier is refused")
    func credentialIdentifier() async throws {
        let code = try await AppAttestation.code {
            $0.credentialIdentifier = [UInt8](repeating: 7, count: 32)
        }
        #expect(code == .credentialIdentifierMismatch)
    }

    @Test("A credential key that the leaf does not certify is refused")
    func credentialKey() async throws {
        let code = try await AppAttestation.code {
            $0.credentialKey = P256.Signing.PrivateKey().publicKey
        }
        #expect(code == .keyMismatch)
    }

    @Test("Where a key is to be registered, another attested key is refused")
    func expectedKey() async throws {
        let made = try AppAttestation()
        let own = AttestationExpectation(
            challenge: challenge, key: try made.key.publicKey.jwk, now: now)
        #expect(try await made.verify(expecting: own).code == nil)
        let other = AttestationExpectation(
            challenge: challenge, key: try P256.Signing.PrivateKey().publicKey.jwk, now: now)
        #expect(try await made.verify(expecting: other).code == .keyMismatch)
    }

    // MARK: The form

    @Test("Another format is refused by its name", arguments: ["packed", "apple", ""])
    func format(_ name: String) async throws {
        #expect(try await AppAttestation.code { $0.format = name } == .formatUnsupported)
    }

    @Test("Bytes that are no attestation object are refused", arguments: [[], [0xA0], [0xFF, 0]])
    func noObject(_ bytes: [UInt8]) {
        #expect(throws: AttestationRefusal(.evidenceMalformed, "")) {
            try UnverifiedAppAttest(attestation: bytes, keyIdentifier: [])
        }
    }

    @Test("Bytes after the attestation object are refused")
    func trailing() throws {
        let bytes = try AppAttestation().attestation() + [0]
        #expect(throws: AttestationRefusal(.evidenceMalformed, "")) {
            try UnverifiedAppAttest(attestation: bytes, keyIdentifier: [])
        }
    }

    @Test("One certificate, or three, are refused", arguments: [0, 1, 3])
    func pathLength(_ count: Int) async throws {
        let code = try await AppAttestation.code { made in
            let path = try made.path()
            made.certificates = Array((path + [try made.authority.root.der]).prefix(count))
        }
        #expect(code == .evidenceMalformed)
    }

    @Test("A certificate that is none is refused")
    func noCertificate() async throws {
        let code = try await AppAttestation.code { made in
            made.certificates = [[0x30, 0x00], try made.authority.intermediate.der]
        }
        #expect(code == .chainMalformed)
    }

    @Test("Every single bit that is turned is refused")
    func everyBit() async throws {
        let made = try AppAttestation()
        let (bytes, verifier) = (try made.attestation(), try made.verifier())
        // The receipt is unsigned here; separate tests change its bits.
        let end = bytes.count - made.authenticatorData.count
        let expectation = AttestationExpectation(challenge: challenge, now: now)
        for index in stride(from: end, to: bytes.count, by: 1) {
            var turned = bytes
            turned[index] ^= 1 << UInt8(index % 8)
            guard
                let evidence = try? UnverifiedAppAttest(
                    attestation: turned, keyIdentifier: made.keyHash)
            else { continue }
            let result = await verifier.verify(evidence, expecting: expectation)
            #expect(result.code != nil, "byte \(index)")
        }
    }

    // MARK: The category of iOS 27

    @Test("The validation category is evaluated by the given rule")
    func category() async throws {
        let identifier = "1.2.840.113635.100.8.99"
        var made = try AppAttestation()
        let rule = AppAttestValidationCategory(allowed: ["app-store"], acceptsNone: false) {
            leaf, _ in
            leaf.extensionValue(identifier).map { String(decoding: $0, as: UTF8.self) }
        }
        let verifier = try made.verifier(category: rule)
        #expect(try await made.verify(verifier).code == .validationCategoryNotAllowed)
        made.moreExtensions = [try .init(identifier, Array("developer".utf8))]
        #expect(try await made.verify(verifier).code == .validationCategoryNotAllowed)
        made.moreExtensions = [try .init(identifier, Array("app-store".utf8))]
        #expect(try await made.verify(verifier).get().category == "app-store")
    }

    @Test("Systems up to iOS 26 write no category, and pass where that is said")
    func noCategory() async throws {
        let rule = AppAttestValidationCategory(allowed: ["app-store"], acceptsNone: true) {
            _, _ in nil
        }
        let made = try AppAttestation()
        #expect(try await made.verify(made.verifier(category: rule)).code == nil)
    }
}
