// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import JOSE
import SwiftASN1
import Testing
import WebAuthn
import X509

/// A valid TPM statement about a key; tests corrupt a part of it.
private struct TPMAttested {
    /// fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, sign.
    static let attributes: UInt32 = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 18

    let authority: AttestationAuthority
    let key = P256.Signing.PrivateKey()
    let attestationKey = P256.Signing.PrivateKey()
    var attributes = Self.attributes
    var magic: [UInt8] = [0xFF, 0x54, 0x43, 0x47]
    var type: [UInt8] = [0x80, 0x17]
    var extraData = challenge
    var nameAlgorithm: [UInt8] = [0x00, 0x0B]
    /// In place of the hash of the public area.
    var nameHash: [UInt8]?
    var curve: UInt8 = 3
    var afterArea: [UInt8] = []
    var afterInfo: [UInt8] = []
    var signature: [UInt8]?
    var signer: P256.Signing.PrivateKey?
    var algorithm = COSEAlgorithm.es256
    var usage: ASN1ObjectIdentifier = [2, 23, 133, 8, 3]
    var vendor = "id:49424D00"
    /// In place of the certificates.
    var certificates: [[UInt8]]?
    var sentKey: PublicJWK?
    var registered: PublicJWK?
    /// In place of the authority's root.
    var trust: TPMAttestationKeyTrust?

    init() throws { authority = try AttestationAuthority() }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    var publicArea: [UInt8] {
        let point = Array(key.publicKey.rawRepresentation)
        let flags = (0..<4).map { UInt8(truncatingIfNeeded: attributes >> UInt32(24 - $0 * 8)) }
        return [0x00, 0x23] + nameAlgorithm + flags + Self.sized([])
            + [0, 0x10, 0, 0x10, 0, curve, 0, 0x10] + Self.sized(Array(point.prefix(32)))
            + Self.sized(Array(point.suffix(32))) + afterArea
    }

    var certifyInfo: [UInt8] {
        let name = nameAlgorithm + (nameHash ?? Array(SHA256.hash(data: publicArea)))
        return magic + type + Self.sized([1, 2, 3]) + Self.sized(extraData)
            + [UInt8](repeating: 0x33, count: 25) + Self.sized(name) + Self.sized([]) + afterInfo
    }

    func path() throws -> [[UInt8]] {
        var leaf = AttestationAuthority.Leaf(
            country: nil, organization: nil, unit: nil, name: nil)
        leaf.extensions = [
            try .init(SubjectAlternativeNames.tpm(vendor: vendor), critical: true),
            try .init(try ExtendedKeyUsage([.init(oid: usage)]), critical: false),
        ]
        return [
            try authority.issue(leaf, of: .init(attestationKey.publicKey)).der,
            try authority.intermediate.der,
        ]
    }

    func verify(
        _ expected: [UInt8] = challenge
    ) async throws -> Result<VerifiedTPMKey, AttestationRefusal> {
        let signature =
            try signature
            ?? Array((signer ?? attestationKey).signature(for: certifyInfo).derRepresentation)
        let evidence = UnverifiedTPMKey(
            publicArea: publicArea, certifyInfo: certifyInfo, signature: signature,
            algorithm: algorithm, certificates: try certificates ?? path(),
            attestationKey: sentKey)
        let trust =
            try trust
            ?? .certified(
                roots: try authority.roots, vendors: TPMVendors.registered)
        return await TPMKeyVerifier(trust: trust).verify(
            evidence,
            expecting: AttestationExpectation(
                challenge: expected, key: try registered ?? key.publicKey.jwk, now: now))
    }

    static func code(
        _ spoil: (inout TPMAttested) throws -> Void
    ) async throws -> AttestationRefusal.Code? {
        var made = try TPMAttested()
        try spoil(&made)
        return try await made.verify().code
    }
}

@Suite("A key in a TPM")
struct TPMKeyTests {
    @Test("A key with a statement of a certified attestation key is verified")
    func certified() async throws {
        let made = try TPMAttested()
        let verified = try await made.verify().get()
        #expect(verified.key == (try made.key.publicKey.jwk))
        #expect(verified.attestationKey == (try made.attestationKey.publicKey.jwk))
    }

    @Test("A key with a statement of an enrolled attestation key is verified")
    func known() async throws {
        let code = try await TPMAttested.code {
            let key = try $0.attestationKey.publicKey.jwk
            $0.trust = .known([try P256.Signing.PrivateKey().publicKey.jwk, key])
            $0.sentKey = key
            $0.certificates = []
        }
        #expect(code == nil)
    }

    // MARK: Attestation keys

    @Test("An attestation key that is not enrolled is refused")
    func unknownKey() async throws {
        let code = try await TPMAttested.code {
            $0.trust = .known([try P256.Signing.PrivateKey().publicKey.jwk])
            $0.sentKey = try $0.attestationKey.publicKey.jwk
            $0.certificates = []
        }
        #expect(code == .chainUntrusted)
        let unnamed = try await TPMAttested.code {
            $0.trust = .known([try $0.attestationKey.publicKey.jwk])
            $0.certificates = []
        }
        #expect(unnamed == .chainUntrusted)
    }

    @Test("A key and certificates together leave open whose word it is, and are refused")
    func both() async throws {
        let code = try await TPMAttested.code { $0.sentKey = try $0.attestationKey.publicKey.jwk }
        #expect(code == .chainUntrusted)
        let known = try await TPMAttested.code {
            $0.sentKey = try $0.attestationKey.publicKey.jwk
            $0.trust = .known([try $0.attestationKey.publicKey.jwk])
        }
        #expect(known == .chainUntrusted)
    }

    @Test("A chain to another root is refused")
    func otherRoot() async throws {
        let code = try await TPMAttested.code {
            $0.trust = .certified(roots: try AttestationAuthority().roots, vendors: nil)
        }
        #expect(code == .chainUntrusted)
    }

    @Test("A certificate that is not one of an attestation key is refused")
    func otherUsage() async throws {
        let code = try await TPMAttested.code { $0.usage = [1, 3, 6, 1, 5, 5, 7, 3, 3] }
        #expect(code == .chainUntrusted)
    }

    @Test("A manufacturer that is not on the list is refused")
    func otherVendor() async throws {
        #expect(try await TPMAttested.code { $0.vendor = "id:00000000" } == .chainUntrusted)
    }

    @Test("Without certificates nothing is verified")
    func noCertificates() async throws {
        #expect(try await TPMAttested.code { $0.certificates = [] } == .chainMalformed)
    }

    @Test("A signature by another key is refused")
    func otherSigner() async throws {
        let code = try await TPMAttested.code { $0.signer = P256.Signing.PrivateKey() }
        #expect(code == .signatureInvalid)
    }

    @Test("A key with its own statement is refused")
    func selfSigned() async throws {
        #expect(try await TPMAttested.code { $0.signer = $0.key } == .signatureInvalid)
    }

    @Test(
        "An algorithm that does not fit the key, or is not taken, is refused",
        arguments: [
            COSEAlgorithm.es384, .rs256, .rs1, .edDSA, .es256k,
        ])
    func otherAlgorithm(_ algorithm: COSEAlgorithm) async throws {
        #expect(try await TPMAttested.code { $0.algorithm = algorithm } == .signatureInvalid)
    }

    // MARK: What it is bound to

    @Test("Another challenge is refused")
    func otherChallenge() async throws {
        #expect(try await TPMAttested().verify([1, 2, 3]).code == .challengeMismatch)
        #expect(try await TPMAttested.code { $0.extraData = [] } == .challengeMismatch)
    }

    @Test("The name of another key is refused")
    func otherName() async throws {
        let code = try await TPMAttested.code {
            $0.nameHash = [UInt8](repeating: 1, count: 32)
        }
        #expect(code == .nameMismatch)
    }

    @Test("A name by SHA-1 is refused")
    func weakName() async throws {
        let code = try await TPMAttested.code {
            $0.nameAlgorithm = [0x00, 0x04]
            $0.nameHash = Array(Insecure.SHA1.hash(data: $0.publicArea))
        }
        #expect(code == .nameMismatch)
    }

    @Test("Another key than the certified one is refused")
    func otherKey() async throws {
        let code = try await TPMAttested.code {
            $0.registered = try P256.Signing.PrivateKey().publicKey.jwk
        }
        #expect(code == .keyMismatch)
    }

    @Test("A key on an unknown curve is refused")
    func otherCurve() async throws {
        #expect(try await TPMAttested.code { $0.curve = 0x10 } == .keyMismatch)
    }

    // MARK: What the key is

    @Test(
        "A key that may leave the TPM, came from elsewhere, or cannot sign is refused",
        arguments: [
            1, 4, 5, 18,
        ])
    func notBound(_ bit: UInt32) async throws {
        let code = try await TPMAttested.code { $0.attributes &= ~(1 << bit) }
        #expect(code == .keyNotBound)
    }

    @Test(
        "A key that signs only the TPM's own words, or decrypts, is refused", arguments: [16, 17])
    func otherPurpose(_ bit: UInt32) async throws {
        let code = try await TPMAttested.code { $0.attributes |= 1 << bit }
        #expect(code == .keyPurposeNotAllowed)
    }

    // MARK: The form

    @Test("What the TPM did not make, or made for something else, is refused")
    func otherStructure() async throws {
        #expect(try await TPMAttested.code { $0.magic = [0, 0, 0, 0] } == .evidenceMalformed)
        // TPM_ST_ATTEST_QUOTE
        #expect(try await TPMAttested.code { $0.type = [0x80, 0x18] } == .evidenceMalformed)
    }

    @Test("Bytes after either structure are refused")
    func trailing() async throws {
        #expect(try await TPMAttested.code { $0.afterArea = [0] } == .evidenceMalformed)
        #expect(try await TPMAttested.code { $0.afterInfo = [0] } == .evidenceMalformed)
    }
}
