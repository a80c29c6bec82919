// SPDX-License-Identifier: Apache-2.0
import CBOR
import SwiftASN1

/// The type of attestation of a new credential (section 6.5.3).
package enum AttestationType: String, Sendable, CaseIterable {
    /// There is no attestation.
    case none
    /// The credential's key signed the attestation.
    case selfAttestation = "self"
    /// A certificate of the manufacturer signed it: basic attestation, or one of the CA forms,
    /// which are indistinguishable to a relying party.
    case certified
}

/// The formats of section 8. Each one is a file that fills `verify`.
enum AttestationFormat: String, CaseIterable {
    case none
    case packed
    case tpm
    case androidKey = "android-key"
    case androidSafetyNet = "android-safetynet"
    case fidoU2F = "fido-u2f"
    case apple
    case compound

    /// Step 7.1.22: the statement is correct and its signature is valid.
    func verify(_ evidence: AttestationEvidence) throws(StatementRefusal) -> VerifiedStatement {
        switch self {
        case .none: try NoneAttestation.verify(evidence)
        case .packed: try PackedAttestation.verify(evidence)
        case .tpm: try TPMAttestation.verify(evidence)
        case .androidKey: try AndroidKeyAttestation.verify(evidence)
        case .androidSafetyNet: try AndroidSafetyNetAttestation.verify(evidence)
        case .fidoU2F: try FIDOU2FAttestation.verify(evidence)
        case .apple: try AppleAttestation.verify(evidence)
        case .compound: try CompoundAttestation.verify(evidence)
        }
    }
}

/// The result of such a procedure. The trust in the path is evaluated later.
struct VerifiedStatement {
    let type: AttestationType
    /// The attestation certificate first; empty when there is none.
    let trustPath: [AttestationCertificate]
    /// Critical extensions of the attestation certificate that the procedure has verified.
    var verifiedExtensions: [ASN1ObjectIdentifier] = []
    /// Whether the path is of a key of Android's key store.
    var isAndroidKey = false
    /// The statements of a compound one that are correct, in its order; else empty.
    var parts: [VerifiedStatement] = []
}

/// The reason why a statement is not correct: becomes the refusal of step 7.1.22.
struct StatementRefusal: Error {
    let code: WebAuthnRefusal.Code
    let reason: String

    init(_ code: WebAuthnRefusal.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
