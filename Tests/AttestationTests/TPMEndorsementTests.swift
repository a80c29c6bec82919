// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import JOSE
import Primitives
import SwiftASN1
import Testing
import WebAuthn
import X509

/// A TPM with a valid endorsement; tests corrupt a part of it.
private struct Endorsed {
    let maker: EndorsementAuthority
    let endorsementKey = P256.Signing.PrivateKey()
    let attestationKey = P256.Signing.PrivateKey()
    var saying: (inout EndorsementAuthority.Saying) -> Void = { _ in }
    var attestationArea: [UInt8]
    var endorsementArea: [UInt8]
    var vendors: Set<String>?
    var roots: RootKeys
    /// In place of the maker's certificate.
    var certificates: [[UInt8]]?
    var now = AttestationTests.now

    init() throws {
        maker = try EndorsementAuthority()
        roots = try RootKeys(der: [maker.root])
        attestationArea = EndorsementAuthority.attestationArea(attestationKey.publicKey)
        endorsementArea = EndorsementAuthority.endorsementArea(endorsementKey.publicKey)
    }

    func verify() async throws -> VerifiedTPMEndorsement {
        let area = EndorsementAuthority.endorsementArea(endorsementKey.publicKey)
        let evidence = UnverifiedTPMEndorsement(
            certificates: try certificates ?? [maker.certify(area, saying)],
            attestationArea: attestationArea)
        return try await TPMEndorsementVerifier(roots: roots, vendors: vendors)
            .check(evidence, now: now)
    }

    static func code(
        _ spoil: (inout Endorsed) throws -> Void
    ) async throws -> AttestationRefusal.Code? {
        var made = try Endorsed()
        try spoil(&made)
        do {
            let endorsement = try await made.verify()
            _ = try endorsement.credential([1], to: made.endorsementArea)
            return nil
        } catch let refusal as AttestationRefusal { return refusal.code }
    }

    /// Why a certificate that says something else is refused.
    static func certified(
        _ saying: @escaping (inout EndorsementAuthority.Saying) -> Void
    ) async throws -> AttestationRefusal.Code? { try await code { $0.saying = saying } }
}

@Suite("A TPM with a manufacturer's endorsement")
struct TPMEndorsementTests {
    @Test("A certified endorsement key and an attestation key are verified")
    func verified() async throws {
        let made = try Endorsed()
        let endorsement = try await made.verify()
        #expect(endorsement.key == (try made.endorsementKey.publicKey.jwk))
        #expect(endorsement.attestationKey == (try made.attestationKey.publicKey.jwk))
        #expect(
            endorsement.attestationName
                == [0x00, 0x0B] + Array(SHA256.hash(data: made.attestationArea)))
        #expect(endorsement.maker.vendor == "id:49424D00")
        #expect(endorsement.maker.model == "Model" && endorsement.maker.version == "id:00010002")
    }

    @Test("Certificates as makers really write them are taken")
    func variants() async throws {
        #expect(try await Endorsed.code { _ in } == nil)
        // A subject makes a name that is not critical right.
        let named = try await Endorsed.certified {
            $0.subject = "unknown"
            $0.isNameCritical = false
        }
        #expect(named == nil)
        #expect(try await Endorsed.certified { $0.constraints = nil } == nil)
        #expect(try await Endorsed.certified { $0.keyUsage = KeyUsage(keyAgreement: true) } == nil)
        #expect(
            try await Endorsed.certified { $0.keyUsage = KeyUsage(keyEncipherment: true) } == nil)
        #expect(
            try await Endorsed.code { $0.vendors = TPMVendors.registered } == nil)
        // The message contains the intermediate, and the root above it is trusted.
        let long = try await Endorsed.code { made in
            let area = made.endorsementArea
            made.certificates = [
                try made.maker.certify(area), try made.maker.authority.intermediate.der,
            ]
            made.roots = try made.maker.authority.roots
        }
        #expect(long == nil)
    }

    @Test("A TPM without an endorsement by a trusted manufacturer is refused")
    func untrusted() async throws {
        let stranger = try EndorsementAuthority()
        #expect(
            try await Endorsed.code { $0.roots = try RootKeys(der: [stranger.root]) }
                == .chainUntrusted)
        #expect(try await Endorsed.code { $0.roots = .none } == .chainUntrusted)
        #expect(try await Endorsed.code { $0.certificates = [] } == .chainMalformed)
        #expect(try await Endorsed.code { $0.certificates = [[1, 2]] } == .chainMalformed)
        #expect(
            try await Endorsed.code { $0.vendors = ["id:494E5443"] } == .chainUntrusted)
        #expect(
            try await Endorsed.code { $0.now = Timestamp(seconds: 1_600_000_000) }
                == .chainUntrusted)
        #expect(
            try await Endorsed.code { $0.now = Timestamp(seconds: 1_900_000_001) }
                == .chainUntrusted)
    }

    @Test("A certificate of the same maker for anything else is refused")
    func otherCertificate() async throws {
        // Of an attestation key, of a server.
        for usage: [UInt] in [[2, 23, 133, 8, 3], [1, 3, 6, 1, 5, 5, 7, 3, 1]] {
            #expect(try await Endorsed.certified { $0.usage = usage } == .chainUntrusted)
        }
        #expect(try await Endorsed.certified { $0.vendor = nil } == .chainUntrusted)
        #expect(try await Endorsed.certified { $0.vendor = "IBM" } == .chainUntrusted)
        #expect(try await Endorsed.certified { $0.isNameCritical = false } == .chainUntrusted)
        #expect(
            try await Endorsed.certified {
                $0.constraints = .isCertificateAuthority(maxPathLength: nil)
            } == .chainUntrusted)
        #expect(
            try await Endorsed.certified { $0.keyUsage = KeyUsage(digitalSignature: true) }
                == .chainUntrusted)
        #expect(
            try await Endorsed.certified {
                $0.extra = [.init(oid: [1, 2, 3, 4], critical: true, value: [5, 0])]
            } == .chainUntrusted)
    }

    @Test(
        "A key that the TPM would sign anything with, or lets go, is no attestation key",
        arguments: [
            // Without fixedTPM, fixedParent, sensitiveDataOrigin.
            (0x0005_0070, .keyNotBound), (0x0005_0062, .keyNotBound), (0x0005_0052, .keyNotBound),
            // Not restricted, not for signatures, for decryption too.
            (0x0004_0072, .keyPurposeNotAllowed), (0x0001_0072, .keyPurposeNotAllowed),
            (0x0007_0072, .keyPurposeNotAllowed),
        ] as [(UInt32, AttestationRefusal.Code)])
    func attestationKey(_ attributes: UInt32, _ code: AttestationRefusal.Code) async throws {
        let found = try await Endorsed.code {
            $0.attestationArea = EndorsementAuthority.attestationArea(
                $0.attestationKey.publicKey, attributes: attributes)
        }
        #expect(found == code)
    }

    @Test("What is no public area is refused")
    func malformed() async throws {
        #expect(try await Endorsed.code { $0.attestationArea = [] } == .evidenceMalformed)
        #expect(
            try await Endorsed.code { $0.attestationArea.append(0) } == .evidenceMalformed)
        #expect(try await Endorsed.code { $0.endorsementArea = [1] } == .evidenceMalformed)
        // A name by SHA-1.
        #expect(try await Endorsed.code { $0.attestationArea[3] = 0x04 } == .keyMismatch)
    }

    @Test("A secret is sealed for the certified endorsement key and for no other")
    func endorsementArea() async throws {
        let other = P256.Signing.PrivateKey().publicKey
        #expect(
            try await Endorsed.code {
                $0.endorsementArea = EndorsementAuthority.endorsementArea(other)
            } == .keyMismatch)
        let wrong: [(UInt32, AttestationRefusal.Code)] = [
            (0x0003_00B0, .keyNotBound), (0x0002_00B2, .keyPurposeNotAllowed),
            (0x0001_00B2, .keyPurposeNotAllowed), (0x0007_00B2, .keyPurposeNotAllowed),
        ]
        for (attributes, code) in wrong {
            let found = try await Endorsed.code {
                $0.endorsementArea = EndorsementAuthority.endorsementArea(
                    $0.endorsementKey.publicKey, attributes: attributes)
            }
            #expect(found == code)
        }
        #expect(
            try await Endorsed.code {
                $0.endorsementArea = EndorsementAuthority.endorsementArea(
                    $0.endorsementKey.publicKey, cipherBits: 192)
            } == .keyPurposeNotAllowed)
    }

    @Test("A secret of no length, or longer than fits, is not sealed")
    func secretLength() async throws {
        let made = try Endorsed()
        let endorsement = try await made.verify()
        for count in [0, 33] {
            #expect(throws: AttestationRefusal(.evidenceMalformed, "")) {
                try endorsement.credential(
                    [UInt8](repeating: 1, count: count), to: made.endorsementArea)
            }
        }
        for count in [1, 32] {
            let secret = [UInt8](repeating: 1, count: count)
            let credential = try endorsement.credential(secret, to: made.endorsementArea)
            #expect(credential.blob.count == 2 + 32 + 2 + count)
            // Nothing of it is the same twice.
            let again = try endorsement.credential(secret, to: made.endorsementArea)
            #expect(again.blob != credential.blob)
        }
    }
}
