// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import TPM

/// A counter in the memory of a TPM (`TPM_NT_COUNTER`). Its value never falls, even if it is
/// deleted and created again.
///
/// Its password is derived from the key of the store, so that no other program increments it
/// accidentally. The owner authorisation of the TPM, which is empty on most computers, permits
/// deletion of the counter: the store can then no longer be read, as if its file had been deleted.
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

    /// Creates a counter at a free index of the range for owners (TCG Registry of Reserved TPM 2.0
    /// Handles, section 2.2), and sets its first value.
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
        try AuthenticatorStoreError.converting { () throws(TPMError) in
            try tpm.increment(index, password: password)
        }
    }
}
