// SPDX-License-Identifier: Apache-2.0
package import TPM

/// Keys with which a TPM 2.0 says of other keys that it holds them, kept as those of
/// ``TPMCredentialKeys`` are. The calls block.
package struct TPMAttestationKeys: Sendable {
    private let tpm: TPMDevice

    /// - Parameter path: `/dev/tpmrm0`, or the Unix socket of a software TPM.
    package init(path: String = "/dev/tpmrm0") { tpm = TPMDevice(path: path) }

    package func makeKey() throws(AuthenticatorStoreError) -> HardwareKey {
        try HardwareKey(
            AuthenticatorStoreError.asking { () throws(TPMFailure) in
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
        return try AuthenticatorStoreError.asking { () throws(TPMFailure) in
            try tpm.certify(key, with: signer, challenge: challenge)
        }
    }

    /// How the machine was booted; `nil` where the TPM has no registers of SHA-256.
    ///
    /// - Parameter challenge: Comes back in the statement; 64 bytes at most.
    package func quote(
        with attestationKey: HardwareKey, challenge: [UInt8]
    ) throws(AuthenticatorStoreError) -> TPMQuote? {
        let signer = try TPMObject(attestationKey)
        return try AuthenticatorStoreError.asking { () throws(TPMFailure) in
            try tpm.quote(with: signer, challenge: challenge)
        }
    }
}
