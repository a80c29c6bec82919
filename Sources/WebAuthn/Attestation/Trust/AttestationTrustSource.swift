// SPDX-License-Identifier: Apache-2.0

/// A source of authenticator models: their trust anchors, and whether they may be used.
///
/// A metadata service is one (FIDO Metadata Service 3). A source is a snapshot for one moment. It
/// responds without waiting, so that a ceremony does not depend on a network.
package protocol AttestationTrustSource: Sendable {
    /// Returns the statement for a model, or `nil` if there is none.
    func statement(for model: AuthenticatorModel) -> AuthenticatorTrust?
}

/// The identifier of a model in metadata.
package enum AuthenticatorModel: Sendable, Hashable {
    /// A FIDO2 authenticator, by the AAGUID of its credentials; never the zero AAGUID.
    case aaguid(AAGUID)
    /// A U2F key, by its attestation certificate: SHA-1 of the bits of `subjectPublicKey`, 20
    /// bytes (RFC 5280 section 4.2.1.2, method 1; `attestationCertificateKeyIdentifiers` of
    /// FIDO Metadata Statements section 4).
    case certificateKey(identifier: [UInt8])
}

/// The data of a source about one model.
package struct AuthenticatorTrust: Sendable {
    /// Roots and intermediates that certify the model, or its attestation certificates themselves.
    package var anchors: TrustAnchors
    /// Attestation certificates that are no longer trusted, DER (a status report that names its
    /// `certificate`): a path through one of them is refused.
    package var distrustedCertificates: [[UInt8]] = []
    /// The attestation types of the model (`attestationTypes`). An authenticator that attests
    /// differently is not of this model.
    package var attestationTypes: Set<AttestationType> = [.certified]
    /// The algorithms of its credentials (`authenticationAlgorithms`), or `nil` if every algorithm
    /// is accepted.
    package var algorithms: [COSEAlgorithm]?
    /// The reason why such an authenticator must not register, for example a status report in force
    /// (`REVOKED`); `nil` if it may. Private: for the log.
    package var refusal: String?
    /// The name of the model for a person.
    package var name: String?

    package init(anchors: TrustAnchors) { self.anchors = anchors }
}
