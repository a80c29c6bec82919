// SPDX-License-Identifier: Apache-2.0

/// What a project demands that hardware vouches for when a machine registers its keys.
package struct DeviceAttestationPolicy: Sendable, Equatable, Codable {
    /// `apple`, `tpm`: evidence in one of these formats is demanded; of none when empty.
    package var formats: [String] = []
    /// Apple's enterprise root, in base64 DER of certificates or public keys.
    package var appleRoots: [String] = []
    /// Likewise, of the makers of TPMs or of who enrols their attestation keys.
    package var tpmRoots: [String] = []
    /// Attestation keys that were enrolled one by one, in base64 DER of `SubjectPublicKeyInfo`.
    package var tpmKeys: [String] = []
    /// Roots of makers of TPMs, likewise: an attestation key is believed in whose TPM the maker's
    /// endorsement key is, by `TPM2_ActivateCredential`.
    package var tpmEndorsementRoots: [String] = []
    /// How machines must have been booted: registers of the SHA-256 bank, each as `INDEX:HEXADECIMAL`;
    /// one that is named more than once may have either value. A quote is demanded unless it is
    /// empty.
    package var tpmRegisters: [String] = []

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        formats = try values.decodeIfPresent([String].self, forKey: .formats) ?? []
        appleRoots = try values.decodeIfPresent([String].self, forKey: .appleRoots) ?? []
        tpmRoots = try values.decodeIfPresent([String].self, forKey: .tpmRoots) ?? []
        tpmKeys = try values.decodeIfPresent([String].self, forKey: .tpmKeys) ?? []
        tpmEndorsementRoots =
            try values.decodeIfPresent([String].self, forKey: .tpmEndorsementRoots) ?? []
        tpmRegisters = try values.decodeIfPresent([String].self, forKey: .tpmRegisters) ?? []
    }
}
