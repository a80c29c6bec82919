// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// A counter in the memory of a TPM (`TPM_NT_COUNTER`): nothing makes it fall, not even taking it
/// away and making it anew.
///
/// Its password comes from the key of the store, so that no other program counts by mistake. Who
/// holds the TPM's owner authorisation, which is empty on most machines, can take the counter away:
/// then the store does not open any more, as when its file is deleted.
struct TPMCounter: MonotonicCounter {
    private let path: String
    private let index: TPMCommand.Handle
    private let password: Secret

    init(path: String, index: TPMCommand.Handle, password: Secret) {
        (self.path, self.index, self.password) = (path, index, password)
    }

    static func password(_ key: SymmetricKey) -> Secret {
        Secret(
            HMAC<SHA256>.authenticationCode(
                for: Array("gatehouse counter".utf8), using: key))
    }

    /// Makes a counter at an index that is free, among those that owners may use (TCG Registry of
    /// Reserved TPM 2.0 Handles, section 2.2), and gives it its first value.
    static func define(
        in tpm: TPMConnection, password: Secret, random: any RandomSource
    ) throws(AuthenticatorStoreError) -> TPMCommand.Handle {
        let isDefined = AuthenticatorStoreError.tpm(code: 0x14C)
        var refusal = isDefined
        for _ in 0..<8 {
            let drawn = random.bytes(3).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            let index = 0x0180_0000 | (drawn & 0x003F_FFFF)
            do throws(AuthenticatorStoreError) {
                _ = try tpm.send(TPMCommand.defineCounter(index, password: password.reveal()))
                _ = try tpm.send(TPMCommand.increment(index, password: password.reveal()))
                return index
            } catch {
                guard error == isDefined else { throw error }
                refusal = error
            }
        }
        throw refusal
    }

    func value() throws(AuthenticatorStoreError) -> UInt64 {
        let tpm = try TPMConnection(path: path)
        var response: TPMResponse
        do throws(AuthenticatorStoreError) {
            response = try tpm.send(TPMCommand.readCounter(index, password: password.reveal()))
        } catch {
            // No such index, another password, or another TPM.
            if case .tpm = error { throw .rolledBack }
            throw error
        }
        try response.skipParameterSize()
        let bytes = try response.buffer()
        guard bytes.count == 8 else { throw .tpmProtocol }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    func increment() throws(AuthenticatorStoreError) {
        let tpm = try TPMConnection(path: path)
        _ = try tpm.send(TPMCommand.increment(index, password: password.reveal()))
    }
}
