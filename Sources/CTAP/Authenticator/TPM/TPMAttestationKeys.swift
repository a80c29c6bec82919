// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import TPM

/// Keys with which a TPM 2.0 certifies that it contains other keys, stored as those of
/// ``TPMCredentialKeys``. The calls block.
package struct TPMAttestationKeys: Sendable {
    private let tpm: TPMDevice

    /// - Parameter path: `/dev/tpmrm0`, or the Unix socket of a software TPM.
    package init(path: String = "/dev/tpmrm0") { tpm = TPMDevice(path: path) }

    package func makeKey() throws(AuthenticatorStoreError) -> HardwareKey {
        try HardwareKey(
            AuthenticatorStoreError.converting { () throws(TPMError) in
                try tpm.makeAttestationKey()
            })
    }

    /// - Parameters:
    ///   - key: Of this TPM, without a password.
    ///   - challenge: Comes back in the statement; 64 bytes at most.
    /// - Throws: ``AuthenticatorStoreError/locked`` for keys of another TPM.
    package func certify(
        _ key: HardwareKey, with attestationKey: HardwareKey, challenge: [UInt8]
    ) throws(AuthenticatorStoreError) -> TPMCertification {
        let (key, signer) = (try TPMObject(key), try TPMObject(attestationKey))
        return try AuthenticatorStoreError.converting { () throws(TPMError) in
            try tpm.certify(key, with: signer, challenge: challenge)
        }
    }

    /// Returns a signed statement of the boot measurements; `nil` if the TPM has no SHA-256
    /// registers.
    ///
    /// - Parameter challenge: A value that the statement contains; 64 bytes at most.
    package func quote(
        with attestationKey: HardwareKey, challenge: [UInt8]
    ) throws(AuthenticatorStoreError) -> TPMQuote? {
        let signer = try TPMObject(attestationKey)
        return try AuthenticatorStoreError.converting { () throws(TPMError) in
            try tpm.quote(with: signer, challenge: challenge)
        }
    }

    /// `nil` where the TPM has no certificate of its maker.
    package func endorsement() throws(AuthenticatorStoreError) -> TPMEndorsement? {
        try AuthenticatorStoreError.converting { () throws(TPMError) in try tpm.endorsement() }
    }

    /// `TPMT_PUBLIC`.
    package func publicArea(of key: HardwareKey) throws(AuthenticatorStoreError) -> [UInt8] {
        try TPMObject(key).publicPart
    }

    /// Decrypts a credential that was encrypted for the endorsement key and this key.
    ///
    /// - Parameters:
    ///   - blob: The contents of `TPM2B_ID_OBJECT`.
    ///   - encryptedSecret: The contents of `TPM2B_ENCRYPTED_SECRET`.
    package func activate(
        _ key: HardwareKey, with kind: TPMEndorsement.Kind, blob: [UInt8], encryptedSecret: [UInt8]
    ) throws(AuthenticatorStoreError) -> Secret {
        let object = try TPMObject(key)
        return try AuthenticatorStoreError.converting { () throws(TPMError) in
            try tpm.activate(object, with: kind, blob: blob, encryptedSecret: encryptedSecret)
        }
    }
}
