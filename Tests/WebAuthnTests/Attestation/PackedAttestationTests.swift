// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import Crypto
import Foundation
import Primitives
import Support
import SwiftASN1
import Testing
import WebAuthn
import X509

/// Section 8.2, packed attestation, and the chain behind it (attacks 17, 19, 20).
@Suite struct PackedAttestationTests {
    /// A packed registration that would pass, until a test spoils a part of it.
    struct Packed {
        var ceremony = RegistrationCeremony()
        var algorithm: CBORValue? = .integer(-7)
        var signature: CBORValue?
        var x5c: CBORValue?

        init() { ceremony.format = "packed" }

        var message: [UInt8] {
            ceremony.signedData + Array(SHA256.hash(data: ceremony.clientDataJSON))
        }

        mutating func signBySelf() throws {
            signature = .byteString(
                try ceremony.passkey.sign(
                    authenticatorData: ceremony.signedData, clientData: ceremony.clientDataJSON))
        }

        mutating func sign(by issued: AttestationAuthority.Issued, path: [[UInt8]]) throws {
            signature = .byteString(try issued.key.signature(for: message).derRepresentation)
            x5c = .array(path.map { CBORValue.byteString($0) })
        }

        func refusal() async -> WebAuthnRefusal? { await verify().refusal }

        func verify() async -> Result<VerifiedRegistration, WebAuthnRefusal> {
            var ceremony = ceremony
            ceremony.statement = [
                ("alg", algorithm), ("sig", signature), ("x5c", x5c),
            ].compactMap { name, value in value.map { CBOREntry(.text(name), $0) } }
            return await ceremony.verify()
        }
    }

    private func certified(
        _ leaf: AttestationAuthority.Leaf = .init(), aaguid: [UInt8]? = nil
    ) throws -> (Packed, AttestationAuthority) {
        let authority = try AttestationAuthority()
        let issued = try authority.issue(leaf)
        var packed = Packed()
        if let aaguid { packed.ceremony.passkey.aaguid = aaguid }
        try packed.sign(by: issued, path: [issued.der, authority.intermediate.der])
        packed.ceremony.expectation.attestation = try AttestationPolicy(
            conveyance: .direct, trustAnchors: [authority.root.der])
        return (packed, authority)
    }

    private func statement(_ code: WebAuthnRefusal.Code) -> WebAuthnRefusal {
        refusal(.registration, 22, code)
    }

    // MARK: Self attestation

    @Test("A credential has self attestation")
    func selfAttestation() async throws {
        var packed = Packed()
        try packed.signBySelf()
        let verified = try await packed.verify().get()
        #expect(verified.attestationType == .selfAttestation)
        #expect(verified.trust == .none)
    }

    @Test("Self attestation is refused by a policy that wants more, at step 24")
    func selfNotAcceptable() async throws {
        var packed = Packed()
        try packed.signBySelf()
        packed.ceremony.expectation.attestation = try AttestationPolicy(acceptsSelf: false)
        #expect(await packed.refusal() == refusal(.registration, 24, .attestationNotAcceptable))
    }

    @Test("Self attestation with another alg than the credential's is refused (17)")
    func selfAlgorithm() async throws {
        for number in [-257, -35, -8, -9, 0] as [Int64] {
            var packed = Packed()
            try packed.signBySelf()
            packed.algorithm = .integer(number)
            #expect(await packed.refusal() == statement(.attestationAlgorithmMismatch))
        }
    }

    @Test("Self attestation by another key, or over other data, is refused")
    func selfSignature() async throws {
        var packed = Packed()
        try packed.signBySelf()
        packed.ceremony.passkey.aaguid[0] = 1
        #expect(await packed.refusal() == statement(.attestationSignatureInvalid))
        packed = Packed()
        packed.signature = .byteString([0x30, 0x06, 2, 1, 1, 2, 1, 1])
        #expect(await packed.refusal() == statement(.attestationSignatureInvalid))
    }

    @Test("A statement that is not of the form of section 8.2 is refused (20)")
    func malformed() async throws {
        var good = Packed()
        try good.signBySelf()
        var spoilt: [Packed] = []
        for algorithm in [nil, .text("ES256"), .unsigned(.max)] as [CBORValue?] {
            var packed = good
            packed.algorithm = algorithm
            spoilt.append(packed)
        }
        for signature in [nil, .byteString([]), .text("x"), .null] as [CBORValue?] {
            var packed = good
            packed.signature = signature
            spoilt.append(packed)
        }
        for x5c in [
            .array([]), .byteString([1]), .map([]), .array([.text("a")]),
            .array([CBORValue](repeating: .byteString([0x30, 0]), count: 9)),
            .array([.byteString([UInt8](repeating: 0, count: 8193))]),
        ] as [CBORValue] {
            var packed = good
            packed.x5c = x5c
            spoilt.append(packed)
        }
        for packed in spoilt {
            #expect(await packed.refusal() == statement(.attestationStatementMalformed))
        }
    }

    @Test("A member that section 8.2 does not know is refused")
    func unknownMember() async throws {
        var packed = Packed()
        try packed.signBySelf()
        packed.ceremony.statement = [
            CBOREntry(.text("alg"), .integer(-7)),
            CBOREntry(.text("sig"), packed.signature ?? .null),
            CBOREntry(.text("ecdaaKeyId"), .byteString([1])),
        ]
        let refused = await packed.ceremony.verify().refusal
        #expect(refused == statement(.attestationStatementMalformed))
    }

    // MARK: Certificates

    @Test("A certified credential leads to the root, and its path is told")
    func anchored() async throws {
        let (packed, authority) = try certified()
        let verified = try await packed.verify().get()
        #expect(verified.attestationType == .certified)
        #expect(verified.trust == .anchored)
        #expect(try verified.trustPath.last == authority.intermediate.der)
    }

    @Test("Without anchors it is verified but unanchored, unless the policy wants an anchor")
    func unanchored() async throws {
        var (packed, _) = try certified()
        packed.ceremony.expectation.attestation = .unassessed
        #expect(try await packed.verify().get().trust == .unanchored)
        packed.ceremony.expectation.attestation = try AttestationPolicy(acceptsUnanchored: false)
        #expect(await packed.refusal() == refusal(.registration, 24, .attestationUntrusted))
    }

    @Test("A certificate that is itself the anchor is trusted while it is valid")
    func batchCertificate() async throws {
        let authority = try AttestationAuthority()
        let issued = try authority.issue()
        var packed = Packed()
        try packed.sign(by: issued, path: [issued.der])
        packed.ceremony.expectation.attestation = try AttestationPolicy(
            trustAnchors: [issued.der])
        #expect(try await packed.verify().get().trust == .anchored)
        packed.ceremony.expectation.now = Timestamp(seconds: 1_900_000_001)
        #expect(await packed.refusal() == refusal(.registration, 24, .attestationUntrusted))
    }

    @Test("A chain to another root of the same name is refused (19)")
    func otherRoot() async throws {
        var (packed, _) = try certified()
        packed.ceremony.expectation.attestation = try AttestationPolicy(
            trustAnchors: [try AttestationAuthority().root.der])
        #expect(await packed.refusal() == refusal(.registration, 24, .attestationUntrusted))
    }

    @Test("A chain without its intermediate is refused (19)")
    func missingIntermediate() async throws {
        let authority = try AttestationAuthority()
        let issued = try authority.issue()
        var packed = Packed()
        try packed.sign(by: issued, path: [issued.der])
        packed.ceremony.expectation.attestation = try AttestationPolicy(
            trustAnchors: [authority.root.der])
        #expect(await packed.refusal() == refusal(.registration, 24, .attestationUntrusted))
    }

    @Test("Expired, not yet valid, or with an expired intermediate: refused (19)")
    func validity() async throws {
        var (packed, _) = try certified()
        for seconds in [1_699_999_999, 1_900_000_001] as [Int64] {
            packed.ceremony.expectation.now = Timestamp(seconds: seconds)
            #expect(await packed.refusal() == refusal(.registration, 24, .attestationUntrusted))
        }
        let past =
            Date(timeIntervalSince1970: 1_700_000_000)...Date(timeIntervalSince1970: 1_750_000_000)
        let authority = try AttestationAuthority(intermediateValidity: past)
        let issued = try authority.issue()
        packed = Packed()
        try packed.sign(by: issued, path: [issued.der, authority.intermediate.der])
        packed.ceremony.expectation.attestation = try AttestationPolicy(
            trustAnchors: [authority.root.der])
        #expect(await packed.refusal() == refusal(.registration, 24, .attestationUntrusted))
    }

    @Test("A root in x5c, or certificates out of order, are refused (19)")
    func order() async throws {
        let authority = try AttestationAuthority()
        let issued = try authority.issue()
        let (leaf, middle) = (try issued.der, try authority.intermediate.der)
        let root = try authority.root.der
        for path in [[leaf, middle, root], [leaf, root], [middle, leaf], [leaf, leaf]] {
            var packed = Packed()
            try packed.sign(by: issued, path: path)
            #expect(await packed.refusal() == statement(.attestationCertificateInvalid))
        }
    }

    @Test("A signature by the credential, not by the certificate, is refused (19)")
    func signedByCredential() async throws {
        var (packed, _) = try certified()
        try packed.signBySelf()
        #expect(await packed.refusal() == statement(.attestationSignatureInvalid))
    }

    @Test("An alg that does not fit the certificate's key is refused (17)")
    func certificateAlgorithm() async throws {
        for number in [-257, -35, -8] as [Int64] {
            var (packed, _) = try certified()
            packed.algorithm = .integer(number)
            #expect(await packed.refusal() == statement(.attestationAlgorithmMismatch))
        }
    }

    @Test("What is no certificate is refused (19)")
    func garbage() async throws {
        var (packed, authority) = try certified()
        let cut = Array(try authority.issue().der.dropLast())
        for bytes in [[], [0x30, 0x00], cut] as [[UInt8]] {
            packed.x5c = .array([.byteString(bytes)])
            #expect(await packed.refusal() == statement(.attestationCertificateInvalid))
        }
    }

    @Test("A certificate that breaks section 8.2.1 is refused (19)")
    func requirements() async throws {
        typealias Leaf = AttestationAuthority.Leaf
        let spoil: [(String, (inout Leaf) -> Void)] = [
            ("no country", { $0.country = nil }), ("country in words", { $0.country = "Sweden" }),
            ("country in lower case", { $0.country = "se" }),
            ("no organization", { $0.organization = nil }),
            ("empty organization", { $0.organization = "" }), ("no name", { $0.name = nil }),
            ("no unit", { $0.unit = nil }),
            ("another unit", { $0.unit = "Authenticator Attestation CA" }),
            ("unit in lower case", { $0.unit = "authenticator attestation" }),
            ("no basic constraints", { $0.constraints = nil }),
            ("a CA", { $0.constraints = .isCertificateAuthority(maxPathLength: nil) }),
            (
                "version 1",
                {
                    $0.version = .v1
                    $0.constraints = nil
                }
            ),
        ]
        for (name, spoil) in spoil {
            var leaf = Leaf()
            spoil(&leaf)
            let (packed, _) = try certified(leaf)
            #expect(await packed.refusal() == statement(.attestationCertificateInvalid), "\(name)")
        }
    }

    @Test("The AAGUID extension must name the credential's model, and not be critical (19)")
    func aaguidExtension() async throws {
        let model = [UInt8](1...16)
        var leaf = AttestationAuthority.Leaf()
        leaf.extensions = [try AttestationAuthority.aaguid(model)]
        let (same, _) = try certified(leaf, aaguid: model)
        _ = try await same.verify().get()
        let (other, _) = try certified(leaf, aaguid: [UInt8](2...17))
        #expect(await other.refusal() == statement(.attestationAAGUIDMismatch))
        leaf.extensions = [try AttestationAuthority.aaguid(model, critical: true)]
        let (critical, _) = try certified(leaf, aaguid: model)
        #expect(await critical.refusal() == statement(.attestationCertificateInvalid))
        leaf.extensions = [
            Certificate.Extension(
                oid: AttestationAuthority.aaguidExtension, critical: false, value: model[...])
        ]
        let (bare, _) = try certified(leaf, aaguid: model)
        #expect(await bare.refusal() == statement(.attestationCertificateInvalid))
    }

    @Test("An unknown critical extension keeps a chain from being trusted (19)")
    func criticalExtension() async throws {
        var leaf = AttestationAuthority.Leaf()
        leaf.extensions = [
            Certificate.Extension(oid: [1, 2, 3, 4], critical: true, value: [5, 0])
        ]
        let (packed, _) = try certified(leaf)
        #expect(await packed.refusal() == refusal(.registration, 24, .attestationUntrusted))
    }

    @Test("An anchor that is not a certificate is an error of the caller, reported with its index")
    func anchorError() throws {
        let root = try AttestationAuthority().root.der
        let error = try #require(throws: AttestationPolicy.AnchorError.self) {
            try AttestationPolicy(trustAnchors: [root, [1]])
        }
        #expect(error.index == 1)
    }
}
