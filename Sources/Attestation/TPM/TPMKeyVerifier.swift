// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import WebAuthn

/// A key in a TPM 2.0 with a `TPM2_Certify` statement by an attestation key of the same TPM (TPM
/// 2.0 Library Part 3, section 18.2), as a Linux device sends it.
package struct UnverifiedTPMKey: Sendable {
    /// `TPMT_PUBLIC` of the key to register.
    package let publicArea: [UInt8]
    /// `TPMS_ATTEST`.
    package let certifyInfo: [UInt8]
    /// The signature of `certifyInfo`: ECDSA in DER, RSA as the TPM returns it (`tpm2_certify
    /// --format=plain`).
    package let signature: [UInt8]
    package let algorithm: COSEAlgorithm
    /// The certificates of the attestation key in DER, its own first; empty unless the trust is
    /// ``TPMAttestationKeyTrust/certified(roots:vendors:)``.
    package let certificates: [[UInt8]]
    /// The attestation key itself: `nil` with certificates, required for
    /// ``TPMAttestationKeyTrust/known(_:)``, and optional with an ``activation``.
    package let attestationKey: PublicJWK?
    /// The boot state of the device, signed by the same attestation key.
    package let quote: UnverifiedTPMQuote?
    /// The proof that the attestation key is in a TPM of a known manufacturer.
    package let activation: UnverifiedTPMActivation?

    package init(
        publicArea: [UInt8], certifyInfo: [UInt8], signature: [UInt8], algorithm: COSEAlgorithm,
        certificates: [[UInt8]] = [], attestationKey: PublicJWK? = nil,
        quote: UnverifiedTPMQuote? = nil, activation: UnverifiedTPMActivation? = nil
    ) {
        self.publicArea = publicArea
        self.certifyInfo = certifyInfo
        self.signature = signature
        self.algorithm = algorithm
        self.certificates = certificates
        self.attestationKey = attestationKey
        self.quote = quote
        self.activation = activation
    }
}

/// The reason to trust an attestation key.
package enum TPMAttestationKeyTrust: Sendable {
    /// The key has a certificate for an attestation identity key that leads to one of these roots.
    /// The TPM is of one of these manufacturers (``TPMVendors``), or of any if `nil`.
    case certified(roots: RootKeys, vendors: Set<String>?)
    /// It is one of these enrolled keys.
    case known([PublicJWK])
    /// The device returned a secret that was sealed for its TPM (`TPM2_ActivateCredential`). The
    /// closure returns that secret.
    case endorsed(
        TPMEndorsementVerifier, secret: @Sendable (VerifiedTPMEndorsement) -> [UInt8])
}

/// Verifies that a key was generated in a TPM and cannot leave it. The `extraData` of the statement
/// must equal the challenge.
package struct TPMKeyVerifier: AttestationVerifier {
    package let trust: TPMAttestationKeyTrust
    /// The accepted signature algorithms of attestation keys. The default contains none with SHA-1.
    package let algorithms: Set<COSEAlgorithm>
    /// The required boot state. Without a requirement, a quote is ignored.
    package let boot: TPMBootRequirement?

    package init(
        trust: TPMAttestationKeyTrust,
        algorithms: Set<COSEAlgorithm> = [.es256, .es384, .rs256, .ps256],
        boot: TPMBootRequirement? = nil
    ) {
        self.trust = trust
        self.algorithms = algorithms
        self.boot = boot
    }

    /// The attributes of a key that was generated in this TPM, cannot leave it, and can sign.
    private static let bound: TPMPublicArea.Attributes = [
        .fixedTPM, .fixedParent, .sensitiveDataOrigin, .signEncrypt,
    ]

    package func check(
        _ evidence: UnverifiedTPMKey, expecting expectation: AttestationExpectation
    ) async throws(AttestationRefusal) -> VerifiedTPMKey {
        let area: TPMPublicArea
        let info: TPMAttestationData
        do {
            area = try TPMPublicArea(evidence.publicArea[...])
            info = try TPMAttestationData(evidence.certifyInfo[...])
        } catch { throw AttestationRefusal(.evidenceMalformed, "TPM structure: \(error)") }
        // 1: the attestation key is trusted, and signed the statement.
        let (attestationKey, endorsement) = try await attestationKey(evidence, expectation)
        // 2: the statement is for this challenge and this key.
        try expectation.requireChallenge(info.qualifyingData, "extraData")
        guard let name = area.name(), info.name.elementsEqual(name) else {
            throw AttestationRefusal(.nameMismatch, "another key was certified")
        }
        guard let key = area.publicKey else {
            throw AttestationRefusal(.keyMismatch, "no key that can be registered")
        }
        try expectation.requireKey(key)
        // 3: the key cannot leave the TPM and is a signing key.
        guard area.attributes.isSuperset(of: Self.bound) else {
            throw AttestationRefusal(.keyNotBound, "the key may leave the TPM, or cannot sign")
        }
        guard area.attributes.isDisjoint(with: [.restricted, .decrypt]) else {
            throw AttestationRefusal(.keyPurposeNotAllowed, "a storage or attestation key")
        }
        // 4: the boot state of the device satisfies the requirement.
        let quote = try bootState(evidence, by: attestationKey, expectation)
        return VerifiedTPMKey(
            key: key, attestationKey: attestationKey, quote: quote, endorsement: endorsement)
    }

    private func bootState(
        _ evidence: UnverifiedTPMKey, by key: PublicJWK, _ expectation: AttestationExpectation
    ) throws(AttestationRefusal) -> VerifiedTPMQuote? {
        guard let boot else { return nil }
        guard let quote = evidence.quote else {
            throw AttestationRefusal(.quoteMissing, "there is no quote of the boot state")
        }
        return try TPMQuoteVerifier(requirement: boot)
            .check(quote, by: key, evidence.algorithm, expecting: expectation)
    }

    private func attestationKey(
        _ evidence: UnverifiedTPMKey, _ expectation: AttestationExpectation
    ) async throws(AttestationRefusal) -> (PublicJWK, VerifiedTPMEndorsement?) {
        let key: PublicJWK
        var endorsement: VerifiedTPMEndorsement?
        switch trust {
        case .certified(let roots, let vendors):
            key = try await certifiedKey(evidence, roots, vendors, expectation)
        case .known(let known):
            guard let named = evidence.attestationKey, evidence.certificates.isEmpty,
                known.contains(where: { $0.material == named.material })
            else { throw AttestationRefusal(.chainUntrusted, "not a known attestation key") }
            key = named
        case .endorsed(let verifier, let secret):
            let found = try await evidence.activated(verifier, secret, now: expectation.now)
            (key, endorsement) = (found.attestationKey, found)
        }
        guard algorithms.contains(evidence.algorithm),
            let check = COSESignatureVerifier(key, algorithm: evidence.algorithm)
        else {
            throw AttestationRefusal(
                .signatureInvalid, "alg \(evidence.algorithm.rawValue) does not fit the key")
        }
        guard check.isValid(signature: evidence.signature[...], over: evidence.certifyInfo[...], [])
        else { throw AttestationRefusal(.signatureInvalid, "not by the attestation key") }
        return (key, endorsement)
    }

    private func certifiedKey(
        _ evidence: UnverifiedTPMKey, _ roots: RootKeys, _ vendors: Set<String>?,
        _ expectation: AttestationExpectation
    ) async throws(AttestationRefusal) -> PublicJWK {
        let chain = try AttestationChain.read(evidence.certificates)
        let reason = await chain.refusal(
            roots: roots, verifiedExtensions: AttestationCertificate.identityKeyExtensions,
            now: expectation.now)
        if let reason = reason ?? chain.leaf.identityKeyFault(vendors: vendors) {
            throw AttestationRefusal(.chainUntrusted, reason)
        }
        guard evidence.attestationKey == nil, let key = chain.leaf.publicKey else {
            throw AttestationRefusal(.chainUntrusted, "no key that can attest")
        }
        return key
    }
}

/// A key with a verified TPM statement. Only the verifier creates one.
package struct VerifiedTPMKey: Sendable {
    package let key: PublicJWK
    /// The attestation key, to store for the recognition of the device.
    package let attestationKey: PublicJWK
    /// The boot state, if the verifier requires one.
    package let quote: VerifiedTPMQuote?
    /// The endorsement of the TPM, for ``TPMAttestationKeyTrust/endorsed(_:secret:)``.
    package let endorsement: VerifiedTPMEndorsement?

    fileprivate init(
        key: PublicJWK, attestationKey: PublicJWK, quote: VerifiedTPMQuote?,
        endorsement: VerifiedTPMEndorsement?
    ) {
        self.key = key
        self.attestationKey = attestationKey
        self.quote = quote
        self.endorsement = endorsement
    }
}
