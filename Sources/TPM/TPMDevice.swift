// SPDX-License-Identifier: Apache-2.0
import Platform
package import Primitives

/// A TPM 2.0: it seals what only it can open, and makes keys that never leave it.
///
/// Each call opens the device, derives the storage key, and unloads all objects. Calls block as
/// long as the TPM takes: up to a second. There is no password and no measurement of the boot.
/// Sealed data is useless on a copied disk, but accessible to every process that may use this
/// device's TPM.
package struct TPMDevice: Sendable {
    /// The kernel's resource manager, which any number of programs use side by side.
    package static let usualPath = "/dev/tpmrm0"

    package let path: String

    /// - Parameter path: A character device, or the Unix socket of a software TPM.
    package init(path: String = TPMDevice.usualPath) { self.path = path }

    /// Whether this process may use it.
    package var isThere: Bool { FileSystem.isReadableAndWritable(path) }

    // MARK: Secrets

    /// - Parameter secret: At most 128 bytes.
    package func seal(_ secret: Secret) throws(TPMError) -> TPMObject {
        let tpm = try TPMConnection(path: path)
        return try tpm.withParent { (parent) throws(TPMError) in
            var response = try tpm.send(TPMCommand.seal(secret.reveal(), under: parent))
            return try TPMObject(created: &response)
        }
    }

    package func unseal(_ sealed: TPMObject) throws(TPMError) -> Secret {
        let tpm = try TPMConnection(path: path)
        return try tpm.withObject(sealed) { (object) throws(TPMError) in
            var response = try tpm.send(TPMCommand.unseal(object))
            try response.skipParameterSize()
            var bytes = try response.buffer()
            return Secret(wiping: &bytes)
        }
    }

    // MARK: Keys on P-256

    /// Creates a key for ECDSA with SHA-256.
    ///
    /// - Parameter password: 1 to 32 bytes that the TPM requires for its use. It counts wrong
    ///   attempts, and then refuses for some time: `TPM_RC_AUTH_FAIL` (0x98E), `TPM_RC_LOCKOUT`
    ///   (0x921).
    package func makeSigningKey(password: Secret? = nil) throws(TPMError) -> TPMObject {
        try makeKey {
            TPMCommand.createSigningKey(under: $0, password: password?.reveal() ?? [])
        }
    }

    /// A key for ECDH.
    package func makeAgreementKey() throws(TPMError) -> TPMObject {
        try makeKey { TPMCommand.createAgreementKey(under: $0) }
    }

    func makeKey(
        _ command: (TPMCommand.Handle) -> [UInt8]
    ) throws(TPMError) -> TPMObject {
        let tpm = try TPMConnection(path: path)
        return try tpm.withParent { (parent) throws(TPMError) in
            var response = try tpm.send(command(parent))
            let object = try TPMObject(created: &response)
            guard object.point != nil else { throw .nonsense }
            return object
        }
    }

    /// - Parameter digest: SHA-256, 32 bytes.
    /// - Returns: r and s, 32 bytes each.
    package func sign(
        digest: [UInt8], with key: TPMObject, password: Secret? = nil
    ) throws(TPMError) -> [UInt8] {
        let tpm = try TPMConnection(path: path)
        return try tpm.withObject(key) { (handle) throws(TPMError) in
            var response = try tpm.send(
                TPMCommand.sign(digest, with: handle, password: password?.reveal() ?? []))
            try response.skipParameterSize()
            return try Self.signature(&response)
        }
    }

    /// `TPMT_SIGNATURE` of ECDSA with SHA-256: r and s, 32 bytes each.
    static func signature(_ response: inout TPMResponse) throws(TPMError) -> [UInt8] {
        guard try response.number16() == 0x0018, try response.number16() == 0x000B,
            let r = TPMObject.padded(try response.buffer()),
            let s = TPMObject.padded(try response.buffer())
        else { throw .nonsense }
        return r + s
    }

    /// The X coordinate of what the key agrees on with a point, 32 bytes.
    ///
    /// - Throws: ``TPMError/refused(code:)`` for points off the curve.
    package func agree(
        _ key: TPMObject, x: [UInt8], y: [UInt8]
    ) throws(TPMError) -> Secret {
        let tpm = try TPMConnection(path: path)
        return try tpm.withObject(key) { (handle) throws(TPMError) in
            var response = try tpm.send(TPMCommand.agree(handle, x: x, y: y))
            try response.skipParameterSize()
            // The size of the point, then its coordinates.
            _ = try response.number16()
            guard var x = TPMObject.padded(try response.buffer()) else { throw .nonsense }
            return Secret(wiping: &x)
        }
    }

    // MARK: Counters

    /// `TPM_RC_NV_DEFINED`: there is something at that index already.
    package static let indexIsTaken = TPMError.refused(code: 0x14C)

    /// Creates a counter at an index of the TPM's memory, and initializes it.
    package func defineCounter(_ index: UInt32, password: Secret) throws(TPMError) {
        let tpm = try TPMConnection(path: path)
        _ = try tpm.send(TPMCommand.defineCounter(index, password: password.reveal()))
        _ = try tpm.send(TPMCommand.increment(index, password: password.reveal()))
    }

    package func increment(_ index: UInt32, password: Secret) throws(TPMError) {
        let tpm = try TPMConnection(path: path)
        _ = try tpm.send(TPMCommand.increment(index, password: password.reveal()))
    }

    package func counter(_ index: UInt32, password: Secret) throws(TPMError) -> UInt64 {
        let tpm = try TPMConnection(path: path)
        var response = try tpm.send(TPMCommand.readCounter(index, password: password.reveal()))
        try response.skipParameterSize()
        let bytes = try response.buffer()
        guard bytes.count == 8 else { throw .nonsense }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
