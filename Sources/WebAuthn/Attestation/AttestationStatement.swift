// SPDX-License-Identifier: Apache-2.0
import CBOR
import X509

/// How an authenticator vouched for a new credential (section 6.5.3).
package enum AttestationType: String, Sendable, CaseIterable {
    /// It did not.
    case none
    /// The credential signed for itself.
    case selfAttestation = "self"
    /// A certificate of the maker signed: basic attestation, or one of the CA forms, which look
    /// the same from here.
    case certified
}

/// What the verification procedure of an attestation statement format works on.
struct AttestationEvidence {
    let statement: [CBOREntry]
    let authenticatorData: AuthenticatorData
    let credential: AttestedCredentialData
    let credentialKey: COSEPublicKey
    /// SHA-256 of the client data.
    let clientDataHash: [UInt8]

    /// The member of the statement with that name.
    func member(_ name: String) -> CBORValue? { CBORValue.map(statement)[name] }
}

/// What such a procedure found to be true. Whether anyone trusts the path comes later.
struct VerifiedStatement {
    let type: AttestationType
    /// The attestation certificate first; empty when there is none.
    let trustPath: [AttestationCertificate]
}

/// A certificate beside the DER that it was read from.
struct AttestationCertificate: Sendable {
    let der: [UInt8]
    let certificate: Certificate
}

/// The formats of section 8 that are verified here. Each one is a file that fills `verify`.
enum AttestationFormat: String, CaseIterable {
    case none
    case packed

    /// Step 7.1.22: the statement is correct and its signature is valid.
    func verify(_ evidence: AttestationEvidence) throws(StatementRefusal) -> VerifiedStatement {
        switch self {
        case .none: try NoneAttestation.verify(evidence)
        case .packed: try PackedAttestation.verify(evidence)
        }
    }
}

/// Why a statement is not correct: becomes the refusal of step 7.1.22.
struct StatementRefusal: Error {
    let code: WebAuthnRefusal.Code
    let reason: String

    init(_ code: WebAuthnRefusal.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
