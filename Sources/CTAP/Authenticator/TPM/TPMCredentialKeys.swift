// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives
import TPM

/// Credential keys in a TPM 2.0: the TPM returns an encrypted form that only it can load, and signs
/// with it.
///
/// Each operation derives the storage key again, loads the credential's key and unloads it. ES256
/// is the only algorithm. The secrets of hmac-secret remain in the sealed store, because a TPM
/// cannot compute them.
package struct TPMCredentialKeys: CredentialHardware {
    private let tpm: TPMDevice

    /// - Parameter path: `/dev/tpmrm0`, or the Unix socket of a software TPM.
    package init(path: String = "/dev/tpmrm0") { tpm = TPMDevice(path: path) }

    package func makeKey() throws(AuthenticatorStoreError) -> HardwareKey {
        try makeKey(password: nil)
    }

    /// - Parameter password: 1 to 32 bytes without which the TPM does not use the key. It counts wrong
    ///   ones, and then refuses for a while.
    package func makeKey(password: Secret?) throws(AuthenticatorStoreError) -> HardwareKey {
        try HardwareKey(
            AuthenticatorStoreError.converting { () throws(TPMError) in
                try tpm.makeSigningKey(password: password)
            })
    }

    package func sign(
        _ message: [UInt8], with key: HardwareKey
    ) throws(AuthenticatorStoreError) -> [UInt8] {
        try sign(message, with: key, password: nil)
    }

    /// - Throws: ``AuthenticatorStoreError/isWrongPassword``, ``AuthenticatorStoreError/isLockedOut``
    package func sign(
        _ message: [UInt8], with key: HardwareKey, password: Secret?
    ) throws(AuthenticatorStoreError) -> [UInt8] {
        let object = try TPMObject(key)
        let digest = Array(SHA256.hash(data: message))
        let signature = try AuthenticatorStoreError.converting { () throws(TPMError) in
            try tpm.sign(digest: digest, with: object, password: password)
        }
        guard let read = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
            throw .tpmProtocol
        }
        return Array(read.derRepresentation)
    }
}
