// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import TPM

/// A counter in the memory of a TPM (`TPM_NT_COUNTER`): nothing makes it fall, not even taking it
/// away and making it anew.
///
/// Its password comes from the key of the store, so that no other program counts by mistake. Who
/// holds the TPM's owner authorisation, which is empty on most machines, can take the counter away:
/// then the store does not open any more, as when its file is deleted.
struct TPMCounter: MonotonicCounter {
    private let tpm: TPMDevice
    private let index: UInt32
    private let password: Secret

    init(_ tpm: TPMDevice, index: UInt32, password: Secret) {
        (self.tpm, self.index, self.password) = (tpm, index, password)
    }

    static func password(_ key: SymmetricKey) -> Secret {
        Secret(
            HMAC<SHA256>.authenticationCode(
                for: Array("gatehouse counter".utf8), using: key))
    }

    /// Makes a counter at an index that is free, among those that owners may use (TCG Registry of
    /// Reserved TPM 2.0 Handles, section 2.2), and gives it its first value.
    static func define(
        in tpm: TPMDevice, password: Secret, random: any RandomSource
    ) throws(TPMError) -> UInt32 {
        for _ in 0..<8 {
            let drawn = random.bytes(3).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            let index = 0x0180_0000 | (drawn & 0x003F_FFFF)
            do throws(TPMError) {
                try tpm.defineCounter(index, password: password)
                return index
            } catch {
                guard error == TPMDevice.indexIsTaken else { throw error }
            }
        }
        throw TPMDevice.indexIsTaken
    }

    func value() throws(AuthenticatorStoreError) -> UInt64 {
        do throws(TPMError) { return try tpm.counter(index, password: password) } catch {
            // No such index, another password, or another TPM.
            if case .refused = error { throw .rolledBack }
            throw AuthenticatorStoreError(error)
        }
    }

    func increment() throws(AuthenticatorStoreError) {
        try AuthenticatorStoreError.asking { () throws(TPMError) in
            try tpm.increment(index, password: password)
        }
    }
}
