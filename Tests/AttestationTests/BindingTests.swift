// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import JOSE
import Primitives
import Testing
import WebAuthn
import X509

@Suite("Certificate fingerprints")
struct CertificateFingerprintTests {
    private static let bytes = [UInt8](0..<32)

    @Test("All three spellings are one value")
    func spellings() throws {
        let hex = Hexadecimal.encode(Self.bytes)
        let expected = try #require(CertificateFingerprint(bytes: Self.bytes))
        #expect(CertificateFingerprint(hex) == expected)
        #expect(CertificateFingerprint(hex.uppercased()) == expected)
        #expect(CertificateFingerprint(expected.description) == expected)
        #expect(CertificateFingerprint(Base64URL.encode(Self.bytes)) == expected)
        #expect(expected.description.hasPrefix("00:01:02:03"))
        #expect(expected.description.hasSuffix("1E:1F"))
    }

    @Test(
        "What is no SHA-256 is none",
        arguments: [
            "", "00:01", String(repeating: "0", count: 63), String(repeating: "0", count: 66),
            String(repeating: "g", count: 64), String(repeating: "00:", count: 32),
            String(repeating: "0:00", count: 16), "AAECAwQ",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        ])
    func others(_ text: String) {
        #expect(CertificateFingerprint(text) == nil)
    }

    @Test("Fewer or more bytes are none", arguments: [0, 20, 31, 33])
    func lengths(_ count: Int) {
        #expect(CertificateFingerprint(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }
}

@Suite("Evidence for another registration")
struct OtherProjectTests {
    @Test("Attack 28: evidence that was made in another project is refused here")
    func otherProject() async throws {
        // The same app, device and key, but the other project's nonce.
        var made = try AndroidAttestation()
        let key = try made.key.publicKey.jwk.canonicalBytes
        made.description.challenge = Array(SHA256.hash(data: Array("theirs".utf8) + key))
        let ours = Array(SHA256.hash(data: Array("ours".utf8) + key))
        #expect(try await made.verify(expecting: ours).code == .challengeMismatch)
    }
}

@Suite("Attestation roots")
struct RootKeysTests {
    @Test("The roots that come with the package can be read")
    func vendors() {
        #expect(!VendorRoots.appAttest.isEmpty)
        #expect(!VendorRoots.androidKey.isEmpty)
    }

    @Test("A root is given as its key or as any certificate of it")
    func forms() async throws {
        let authority = try AttestationAuthority()
        let info = Array(authority.root.key.publicKey.derRepresentation)
        let chain = try AttestationChain(der: try AppAttestation(authority: authority).path())
        for der in [info, try authority.root.der] {
            let roots = try RootKeys(der: [der])
            #expect(await chain.refusal(roots: roots, now: now) == nil)
        }
    }

    @Test("What is neither a key nor a certificate is refused by its place")
    func malformed() throws {
        let good = try AttestationAuthority().root.der
        #expect(throws: RootKeys.RootKeyError(index: 1)) { try RootKeys(der: [good, [1, 2]]) }
        #expect(throws: RootKeys.RootKeyError(index: 0)) { try RootKeys(der: [[]]) }
    }

    @Test("An intermediate that may not issue, by constraints, usage or version, is refused")
    func authority() async throws {
        for issuer in [
            AttestationAuthority.Issuer(constraints: nil),
            AttestationAuthority.Issuer(constraints: .notCertificateAuthority),
            AttestationAuthority.Issuer(constraints: nil, version: .v1),
        ] {
            let authority = try AttestationAuthority(intermediate: issuer)
            let chain = try AttestationChain(der: try AppAttestation(authority: authority).path())
            #expect(await chain.refusal(roots: try authority.roots, now: now) != nil)
        }
    }

    @Test("A chain that is too long, comes twice or holds a certificate too long is refused")
    func bounds() throws {
        let authority = try AttestationAuthority()
        let path = try AppAttestation(authority: authority).path()
        for certificates in [
            [], Array(repeating: path[0], count: 9), [path[0], path[1], path[1]],
            [[UInt8](repeating: 0x30, count: 9000)],
        ] {
            #expect(throws: AttestationChainError.self) {
                try AttestationChain(der: certificates)
            }
        }
    }
}
