// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import WebAuthn

/// A key in a TPM 2.0 that `TPM2_Certify` vouches for with an attestation key of the same TPM
/// (TPM 2.0 Library Part 3, section 18.2), as a Linux machine sends it.
package struct UnverifiedTPMKey: Sendable {
    /// `TPMT_PUBLIC` of the key to register.
    package let publicArea: [UInt8]
    /// `TPMS_ATTEST`.
    package let certifyInfo: [UInt8]
    /// Over `certifyInfo`: ECDSA in DER, RSA as it is (`tpm2_certify --format=plain`).
    package let signature: [UInt8]
    package let algorithm: COSEAlgorithm
    /// Certificates of the attestation key, its own first, DER; none when the key is known.
    package let certificates: [[UInt8]]
    /// The attestation key itself, when no certificate names it.
    package let attestationKey: PublicJWK?
    /// How the machine was booted, by the same attestation key.
    package let quote: UnverifiedTPMQuote?
    /// That the attestation key is in a TPM of a known maker.
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

/// Why an attestation key is one.
package enum TPMAttestationKeyTrust: Sendable {
    /// Its certificate leads to one of these, and is one of an attestation identity key of one of
    /// these manufacturers (``TPMVendors``), `nil` for any.
    case certified(roots: RootKeys, vendors: Set<String>?)
    /// It is one of these: keys that were enrolled.
    case known([PublicJWK])
    /// A secret came back that was sealed for its TPM (`TPM2_ActivateCredential`). Which, the
    /// closure says.
    case endorsed(
        TPMEndorsementVerifier, secret: @Sendable (VerifiedTPMEndorsement) -> [UInt8])
}

/// Verifies that a TPM holds the key that is to be registered, made it, and will not let it go.
/// The challenge is `extraData`.
package struct TPMKeyVerifier: AttestationVerifier {
    package let trust: TPMAttestationKeyTrust
    /// Algorithms of attestation keys. No SHA-1.
    package let algorithms: Set<COSEAlgorithm>
    /// How the machine must have been booted. A quote that nobody asked for is not looked at.
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

    /// Made in this TPM and bound to it.
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
        // 1: the attestation key is one, and has signed.
        let (attestationKey, endorsement) = try await attestationKey(evidence, expectation)
        // 2: for this challenge, and this key.
        try expectation.requireChallenge(info.qualifyingData, "extraData")
        guard let name = area.name(), info.name.elementsEqual(name) else {
            throw AttestationRefusal(.nameMismatch, "another key was certified")
        }
        guard let key = area.publicKey else {
            throw AttestationRefusal(.keyMismatch, "no key that can be registered")
        }
        try expectation.requireKey(key)
        // 3: the key stays where it was made, and signs what it is asked to.
        guard area.attributes.isSuperset(of: Self.bound) else {
            throw AttestationRefusal(.keyNotBound, "the key may leave the TPM, or cannot sign")
        }
        guard area.attributes.isDisjoint(with: [.restricted, .decrypt]) else {
            throw AttestationRefusal(.keyPurposeNotAllowed, "a storage or attestation key")
        }
        // 4: the machine that it is in was booted as it should be.
        let quote = try bootState(evidence, by: attestationKey, expectation)
        return VerifiedTPMKey(
            key: key, attestationKey: attestationKey, quote: quote, endorsement: endorsement)
    }

    private func bootState(
        _ evidence: UnverifiedTPMKey, by key: PublicJWK, _ expectation: AttestationExpectation
    ) throws(AttestationRefusal) -> VerifiedTPMQuote? {
        guard let boot else { return nil }
        guard let quote = evidence.quote else {
            throw AttestationRefusal(.quoteMissing, "nothing says how the machine was booted")
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
            roots: roots, judgedExtensions: AttestationCertificate.identityKeyExtensions,
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

/// A key that a TPM vouches for. Only the verifier makes one.
package struct VerifiedTPMKey: Sendable {
    package let key: PublicJWK
    /// Whose word it is: to be kept, so that a machine can be recognised.
    package let attestationKey: PublicJWK
    /// How the machine was booted, when that was asked for.
    package let quote: VerifiedTPMQuote?
    /// Whose TPM it is, where the TPM showed that.
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
