// SPDX-License-Identifier: Apache-2.0

/// A project's requirements for the attestation of a device that registers its keys.
package struct DeviceAttestationPolicy: StoredSettings, Equatable {
    /// `apple`, `tpm`: evidence in one of these formats is required; if empty, none is.
    package var formats: [String] = []
    /// Apple's enterprise root, in base64 DER of certificates or public keys.
    package var appleRoots: [String] = []
    /// Likewise, of the manufacturers of TPMs or of the authority that enrols their attestation
    /// keys.
    package var tpmRoots: [String] = []
    /// Individually enrolled attestation keys, in Base64 DER of `SubjectPublicKeyInfo`.
    package var tpmKeys: [String] = []
    /// Roots of TPM manufacturers, likewise. An attestation key is accepted if
    /// `TPM2_ActivateCredential` proves that its TPM has the manufacturer's endorsement key.
    package var tpmEndorsementRoots: [String] = []
    /// The required boot state: registers of the SHA-256 bank, each as `INDEX:HEXADECIMAL`. A
    /// register may be listed with several accepted values. A quote is required unless the list is
    /// empty.
    package var tpmRegisters: [String] = []

    package init() {}
}
