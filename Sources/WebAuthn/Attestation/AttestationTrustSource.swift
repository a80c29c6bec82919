// SPDX-License-Identifier: Apache-2.0

/// Knows models of authenticators: who certifies them, and whether they may still be used.
///
/// A metadata service is one (FIDO Metadata Service 3). A source is a snapshot: it answers for the
/// moment that it was made for, without waiting, so that a ceremony never hangs on a network.
package protocol AttestationTrustSource: Sendable {
    /// What is known of a model, or `nil` when nothing is.
    func statement(for model: AuthenticatorModel) -> AuthenticatorTrust?
}

/// How metadata name a model.
package enum AuthenticatorModel: Sendable, Hashable {
    /// A FIDO2 authenticator, by the AAGUID of its credentials; never the zero AAGUID.
    case aaguid(AAGUID)
    /// A U2F key, by its attestation certificate: SHA-1 of the bits of `subjectPublicKey`, 20
    /// bytes (RFC 5280 section 4.2.1.2, method 1; `attestationCertificateKeyIdentifiers` of
    /// FIDO Metadata Statements section 4).
    case certificateKey(identifier: [UInt8])
}

/// What a source knows of one model.
package struct AuthenticatorTrust: Sendable {
    /// Roots and intermediates that certify the model, or its attestation certificates themselves.
    package var anchors: TrustAnchors
    /// Attestation certificates that are no longer trusted, DER (a status report that names its
    /// `certificate`): a path through one of them is refused.
    package var distrustedCertificates: [[UInt8]] = []
    /// How authenticators of the model attest (`attestationTypes`): anything else is not one.
    package var attestationTypes: Set<AttestationType> = [.certified]
    /// The algorithms of its credentials (`authenticationAlgorithms`), or `nil` when any may come.
    package var algorithms: [COSEAlgorithm]?
    /// Why nobody may register such an authenticator, for example a status report that is in
    /// force (`REVOKED`); `nil` when they may. Private: for the log.
    package var refusal: String?
    /// The name of the model for a person.
    package var name: String?

    package init(anchors: TrustAnchors) { self.anchors = anchors }
}
