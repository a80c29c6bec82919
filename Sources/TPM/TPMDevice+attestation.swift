// SPDX-License-Identifier: Apache-2.0

/// A TPM's statement about one of its keys (`TPM2_Certify`, TPM 2.0 Library part 3 section 18.2).
package struct TPMCertification: Sendable, Equatable {
    /// `TPMT_PUBLIC` of the key.
    package let publicArea: [UInt8]
    /// `TPMS_ATTEST`
    package let certifyInfo: [UInt8]
    /// The signature of the attestation key for ``certifyInfo``: ECDSA with SHA-256, r and s, 32
    /// bytes each.
    package let signature: [UInt8]
}

/// Attestation keys: on P-256, restricted, so that they sign only statements of the TPM.
extension TPMDevice {
    package func makeAttestationKey() throws(TPMError) -> TPMObject {
        try makeKey { TPMCommand.createAttestationKey(under: $0) }
    }

    /// - Parameters:
    ///   - key: Of this TPM, without a password.
    ///   - challenge: Part of the statement; 64 bytes at most.
    /// - Throws: ``TPMError/foreign`` for keys of another TPM.
    package func certify(
        _ key: TPMObject, with attestationKey: TPMObject, challenge: [UInt8]
    ) throws(TPMError) -> TPMCertification {
        let tpm = try TPMConnection(path: path)
        return try tpm.withObject(key) { (certified) throws(TPMError) in
            try tpm.withObject(attestationKey) { (signer) throws(TPMError) in
                var response = try tpm.send(
                    TPMCommand.certify(certified, with: signer, challenge: challenge))
                try response.skipParameterSize()
                let info = try response.buffer()
                return TPMCertification(
                    publicArea: key.publicPart, certifyInfo: info,
                    signature: try Self.signature(&response))
            }
        }
    }
}
