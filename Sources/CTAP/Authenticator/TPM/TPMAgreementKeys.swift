// SPDX-License-Identifier: Apache-2.0
package import Primitives
import WebAuthn

/// Keys for ECDH on P-256 that a TPM 2.0 makes and never gives away, kept as those of
/// ``TPMCredentialKeys`` are. The calls block.
package struct TPMAgreementKeys: Sendable {
    private let path: String

    /// - Parameter path: `/dev/tpmrm0`, or the Unix socket of a software TPM.
    package init(path: String = "/dev/tpmrm0") { self.path = path }

    package func makeKey() throws(AuthenticatorStoreError) -> HardwareKey {
        let tpm = try TPMConnection(path: path)
        let object = try tpm.withParent { (parent) throws(AuthenticatorStoreError) in
            var response = try tpm.send(TPMCommand.createAgreementKey(under: parent))
            return try TPMObject(created: &response)
        }
        guard let key = TPMCredentialKeys.key(object) else { throw .tpmProtocol }
        return key
    }

    /// What the key agrees on with a point: the X coordinate, 32 bytes.
    ///
    /// - Parameter point: x and y, 32 bytes each.
    /// - Throws: ``AuthenticatorStoreError/tpm(code:)`` for points off the curve,
    ///   ``AuthenticatorStoreError/locked`` for a key of another TPM.
    package func sharedSecret(
        _ key: HardwareKey, with point: [UInt8]
    ) throws(AuthenticatorStoreError) -> Secret {
        guard point.count == 64, let reader = try? MemberReader(key.handle, "key"),
            let object = TPMObject(reader)
        else { throw .damaged }
        let tpm = try TPMConnection(path: path)
        return try tpm.withObject(object) { (handle) throws(AuthenticatorStoreError) in
            var response = try tpm.send(
                TPMCommand.agree(handle, x: Array(point.prefix(32)), y: Array(point.suffix(32))))
            try response.skipParameterSize()
            // The size of the point, then its coordinates.
            _ = try response.number16()
            guard var x = TPMCredentialKeys.field(try response.buffer()) else {
                throw .tpmProtocol
            }
            return Secret(wiping: &x)
        }
    }
}
