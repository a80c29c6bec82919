// SPDX-License-Identifier: Apache-2.0

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
