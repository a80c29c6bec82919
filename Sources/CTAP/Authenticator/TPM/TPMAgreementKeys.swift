// SPDX-License-Identifier: Apache-2.0
package import Primitives
import TPM

/// ECDH keys on P-256 in a TPM 2.0, stored as those of ``TPMCredentialKeys``. The calls block.
package struct TPMAgreementKeys: Sendable {
    private let tpm: TPMDevice

    /// - Parameter path: `/dev/tpmrm0`, or the Unix socket of a software TPM.
    package init(path: String = "/dev/tpmrm0") { tpm = TPMDevice(path: path) }

    package func makeKey() throws(AuthenticatorStoreError) -> HardwareKey {
        try HardwareKey(
            AuthenticatorStoreError.converting { () throws(TPMError) in try tpm.makeAgreementKey()
            })
    }

    /// Returns the shared secret with a point: the X coordinate, 32 bytes.
    ///
    /// - Parameter point: x and y, 32 bytes each.
    /// - Throws: ``AuthenticatorStoreError/tpm(code:)`` for points off the curve,
    ///   ``AuthenticatorStoreError/locked`` for a key of another TPM.
    package func sharedSecret(
        _ key: HardwareKey, with point: [UInt8]
    ) throws(AuthenticatorStoreError) -> Secret {
        guard point.count == 64 else { throw .damaged }
        let object = try TPMObject(key)
        return try AuthenticatorStoreError.converting { () throws(TPMError) in
            try tpm.agree(object, x: Array(point.prefix(32)), y: Array(point.suffix(32)))
        }
    }
}
