// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
package import WebAuthn

/// An endorsement key, and an attestation key that is said to be in the same TPM.
package struct UnverifiedTPMEndorsement: Sendable {
    /// Of the endorsement key, its own first, DER.
    package let certificates: [[UInt8]]
    /// `TPMT_PUBLIC` of the attestation key.
    package let attestationArea: [UInt8]

    package init(certificates: [[UInt8]], attestationArea: [UInt8]) {
        self.certificates = certificates
        self.attestationArea = attestationArea
    }
}

/// Verifies that a maker vouches for a TPM, and that a key is what attestation keys are. That both
/// belong together, a secret shows that ``VerifiedTPMEndorsement/credential(_:to:)`` seals for the
/// one and that comes back only from a TPM that holds the other.
package struct TPMEndorsementVerifier: Sendable {
    /// Of makers of TPMs.
    package let roots: RootKeys
    /// The manufacturers that are accepted (``TPMVendors``); `nil` accepts any below the roots.
    package let vendors: Set<String>?

    package init(roots: RootKeys, vendors: Set<String>? = nil) {
        self.roots = roots
        self.vendors = vendors
    }

    /// - Throws: The first check that failed.
    package func check(
        _ evidence: UnverifiedTPMEndorsement, now: Timestamp
    ) async throws(AttestationRefusal) -> VerifiedTPMEndorsement {
        // 1: the maker has certified the endorsement key.
        let chain = try AttestationChain.read(evidence.certificates)
        let maker: TPMManufacturer
        do { maker = try chain.leaf.endorsedTPM() } catch {
            throw AttestationRefusal(.chainUntrusted, error.reason)
        }
        let reason = await chain.refusal(
            roots: roots, judgedExtensions: AttestationCertificate.identityKeyExtensions, now: now)
        if let reason { throw AttestationRefusal(.chainUntrusted, reason) }
        guard vendors?.contains(maker.vendor) ?? true else {
            throw AttestationRefusal(.chainUntrusted, "vendor \(maker.vendor)")
        }
        guard let key = chain.leaf.publicKey else {
            throw AttestationRefusal(.keyMismatch, "no endorsement key that is taken")
        }
        // 2: the other is an attestation key.
        let area = try TPMPublicArea.read(evidence.attestationArea)
        guard area.attributes.isSuperset(of: .bound) else {
            throw AttestationRefusal(.keyNotBound, "the attestation key may leave the TPM")
        }
        guard area.attributes.isSuperset(of: [.restricted, .signEncrypt]),
            !area.attributes.contains(.decrypt)
        else { throw AttestationRefusal(.keyPurposeNotAllowed, "not an attestation key") }
        guard let name = area.name(), let attestationKey = area.publicKey else {
            throw AttestationRefusal(.keyMismatch, "no attestation key that is taken")
        }
        return VerifiedTPMEndorsement(
            key: key, maker: maker, attestationKey: attestationKey, attestationName: name)
    }
}

/// A TPM that its maker vouches for, and a key that may be in it. Only the verifier makes one.
package struct VerifiedTPMEndorsement: Sendable {
    /// The endorsement key.
    package let key: PublicJWK
    package let maker: TPMManufacturer
    package let attestationKey: PublicJWK
    /// The name of the attestation key, which is over all of its public area.
    package let attestationName: [UInt8]

    fileprivate init(
        key: PublicJWK, maker: TPMManufacturer, attestationKey: PublicJWK, attestationName: [UInt8]
    ) {
        self.key = key
        self.maker = maker
        self.attestationKey = attestationKey
        self.attestationName = attestationName
    }

    /// A secret that comes back only when the attestation key is in the TPM of the endorsement key.
    ///
    /// - Parameters:
    ///   - secret: 1 to 32 bytes.
    ///   - endorsementArea: `TPMT_PUBLIC` of the endorsement key.
    package func credential(
        _ secret: [UInt8], to endorsementArea: [UInt8]
    ) throws(AttestationRefusal) -> TPMCredential {
        let area = try TPMPublicArea.read(endorsementArea)
        guard area.publicKey?.material == key.material else {
            throw AttestationRefusal(.keyMismatch, "another endorsement key is certified")
        }
        guard area.attributes.isSuperset(of: .bound) else {
            throw AttestationRefusal(.keyNotBound, "the endorsement key may leave the TPM")
        }
        guard area.isStorageKey else {
            throw AttestationRefusal(
                .keyPurposeNotAllowed, "not an endorsement key with SHA-256 and AES-128")
        }
        do {
            return try TPMCredential(secret, for: attestationName, to: area)
        } catch { throw AttestationRefusal(.evidenceMalformed, "TPM structure: \(error)") }
    }
}

extension TPMPublicArea {
    static func read(_ bytes: [UInt8]) throws(AttestationRefusal) -> TPMPublicArea {
        do { return try TPMPublicArea(bytes[...]) } catch {
            throw AttestationRefusal(.evidenceMalformed, "TPM structure: \(error)")
        }
    }
}

extension TPMPublicArea.Attributes {
    /// Made in its TPM, and never elsewhere.
    static let bound: Self = [.fixedTPM, .fixedParent, .sensitiveDataOrigin]
}
