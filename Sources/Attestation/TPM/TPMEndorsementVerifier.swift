// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
package import WebAuthn

/// An endorsement key, and an attestation key that is claimed to be in the same TPM.
package struct UnverifiedTPMEndorsement: Sendable {
    /// The certificates of the endorsement key, leaf first, DER.
    package let certificates: [[UInt8]]
    /// `TPMT_PUBLIC` of the attestation key.
    package let attestationArea: [UInt8]

    package init(certificates: [[UInt8]], attestationArea: [UInt8]) {
        self.certificates = certificates
        self.attestationArea = attestationArea
    }
}

/// A verifier of a manufacturer's endorsement of a TPM, and of the form of an attestation key.
///
/// A secret proves that both keys belong together: ``VerifiedTPMEndorsement/credential(_:to:)``
/// seals it for the endorsement key, and only a TPM with the attestation key returns it.
package struct TPMEndorsementVerifier: Sendable {
    /// The roots of TPM manufacturers.
    package let roots: RootKeys
    /// The accepted manufacturers (``TPMVendors``); `nil` accepts any below the roots.
    package let vendors: Set<String>?

    package init(roots: RootKeys, vendors: Set<String>? = nil) {
        self.roots = roots
        self.vendors = vendors
    }

    /// - Throws: The first failed check.
    package func check(
        _ evidence: UnverifiedTPMEndorsement, now: Timestamp
    ) async throws(AttestationRefusal) -> VerifiedTPMEndorsement {
        // 1: the manufacturer has certified the endorsement key.
        let chain = try AttestationChain.read(evidence.certificates)
        let maker: TPMManufacturer
        do { maker = try chain.leaf.endorsedTPM() } catch {
            throw AttestationRefusal(.chainUntrusted, error.reason)
        }
        let reason = await chain.refusal(
            roots: roots, verifiedExtensions: AttestationCertificate.identityKeyExtensions, now: now
        )
        if let reason { throw AttestationRefusal(.chainUntrusted, reason) }
        guard vendors?.contains(maker.vendor) ?? true else {
            throw AttestationRefusal(.chainUntrusted, "vendor \(maker.vendor)")
        }
        guard let key = chain.leaf.publicKey else {
            throw AttestationRefusal(.keyMismatch, "not an accepted endorsement key")
        }
        // 2: the other key is an attestation key.
        let area = try TPMPublicArea.read(evidence.attestationArea)
        guard area.attributes.isSuperset(of: .bound) else {
            throw AttestationRefusal(.keyNotBound, "the attestation key may leave the TPM")
        }
        guard area.attributes.isSuperset(of: [.restricted, .signEncrypt]),
            !area.attributes.contains(.decrypt)
        else { throw AttestationRefusal(.keyPurposeNotAllowed, "not an attestation key") }
        guard let name = area.name(), let attestationKey = area.publicKey else {
            throw AttestationRefusal(.keyMismatch, "not an accepted attestation key")
        }
        return VerifiedTPMEndorsement(
            key: key, maker: maker, attestationKey: attestationKey, attestationName: name)
    }
}

/// A TPM with a verified endorsement, and a key that may be in it. Only the verifier creates one.
package struct VerifiedTPMEndorsement: Sendable {
    /// The endorsement key.
    package let key: PublicJWK
    package let maker: TPMManufacturer
    package let attestationKey: PublicJWK
    /// The name of the attestation key, a hash of its whole public area.
    package let attestationName: [UInt8]

    fileprivate init(
        key: PublicJWK, maker: TPMManufacturer, attestationKey: PublicJWK, attestationName: [UInt8]
    ) {
        self.key = key
        self.maker = maker
        self.attestationKey = attestationKey
        self.attestationName = attestationName
    }

    /// Returns a sealed secret that only the TPM of the endorsement key with this attestation key
    /// can return.
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
    /// Generated in its TPM, from which it cannot be moved.
    static let bound: Self = [.fixedTPM, .fixedParent, .sensitiveDataOrigin]
}
