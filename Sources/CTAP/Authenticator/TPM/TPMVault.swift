// SPDX-License-Identifier: Apache-2.0
import CBOR
package import Crypto
package import Primitives

/// A vault in a TPM 2.0: the key of the store is sealed, and only the TPM that sealed it can open
/// it. The file is worth nothing on another machine.
///
/// Its description holds the sealed object, encrypted by the TPM: `{0: 3, 1: private, 2: public}`.
/// There is no password and no measurement of the boot: it protects a stolen disk, not a machine
/// whose owner's account was taken over.
package struct TPMVault: KeyVault {
    private static let kind: UInt8 = 3
    private let path: String

    /// - Parameter path: `/dev/tpmrm0`, or the Unix socket of a software TPM.
    package init(path: String = "/dev/tpmrm0") { self.path = path }

    package func create(
        random: any RandomSource
    ) throws(AuthenticatorStoreError) -> (key: SymmetricKey, description: [UInt8]) {
        let tpm = try TPMConnection(path: path)
        let parent = try Self.parent(tpm)
        let key = random.bytes(32)
        var sealed: TPMResponse
        do throws(AuthenticatorStoreError) {
            sealed = try tpm.send(TPMCommand.seal(key, under: parent))
        } catch {
            _ = try? tpm.send(TPMCommand.flush(parent))
            throw error
        }
        _ = try tpm.send(TPMCommand.flush(parent))
        try sealed.skipParameterSize()
        var writer = MemberWriter()
        writer.set(0, octet: Self.kind)
        writer.set(1, bytes: try sealed.buffer())
        writer.set(2, bytes: try sealed.buffer())
        return (SymmetricKey(data: key), writer.encoded)
    }

    package func open(_ description: [UInt8]) throws(AuthenticatorStoreError) -> SymmetricKey {
        guard let reader = try? MemberReader(description, "vault"),
            (try? reader.octet(0, "kind")) == Self.kind,
            let privatePart = try? reader.bytes(1, "private", lengths: 1...1024),
            let publicPart = try? reader.bytes(2, "public", lengths: 1...1024)
        else { throw .locked }
        let tpm = try TPMConnection(path: path)
        let parent = try Self.parent(tpm)
        let loaded: Result<TPMResponse, AuthenticatorStoreError> = Result {
            () throws(AuthenticatorStoreError) in
            try tpm.send(TPMCommand.load(privatePart, publicPart, under: parent))
        }
        _ = try tpm.send(TPMCommand.flush(parent))
        var object: TPMResponse
        do throws(AuthenticatorStoreError) { object = try loaded.get() } catch {
            // Another TPM's parent does not open it: TPM_RC_INTEGRITY.
            if case .tpm = error { throw .locked }
            throw error
        }
        return try Self.unseal(try object.handle(), tpm)
    }

    private static func parent(
        _ tpm: borrowing TPMConnection
    ) throws(AuthenticatorStoreError) -> TPMCommand.Handle {
        var response = try tpm.send(TPMCommand.createPrimary)
        return try response.handle()
    }

    private static func unseal(
        _ object: TPMCommand.Handle, _ tpm: borrowing TPMConnection
    ) throws(AuthenticatorStoreError) -> SymmetricKey {
        var response = try tpm.send(TPMCommand.unseal(object))
        try response.skipParameterSize()
        let key = try response.buffer()
        _ = try tpm.send(TPMCommand.flush(object))
        guard key.count == 32 else { throw .damaged }
        return SymmetricKey(data: key)
    }
}
