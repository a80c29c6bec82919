// SPDX-License-Identifier: Apache-2.0
package import Crypto
package import Primitives
import TPM

/// A vault in a TPM 2.0: only the TPM that sealed the key of the store can unseal it. The file is
/// worthless on another computer. A counter in the TPM makes older copies of the file worthless
/// too.
///
/// Its description contains the sealed object, encrypted by the TPM, and the index of the counter
/// if there is one: `{0: 3, 1: private, 2: public, 3: index}`. There is no password and no boot
/// measurement: the vault protects a stolen disk, not a computer whose owner's account is
/// compromised.
package struct TPMKeyProtector: KeyProtector {
    private static let kind: UInt8 = 3
    private let tpm: TPMDevice
    private let countsChanges: Bool

    /// Creates a vault for a TPM.
    ///
    /// - Parameters:
    ///   - path: `/dev/tpmrm0`, or the Unix socket of a software TPM.
    ///   - countsChanges: Whether a new store has a counter. A store whose older copies are
    ///     harmless requires none, and a TPM has memory for a few counters only.
    package init(path: String = "/dev/tpmrm0", countsChanges: Bool = true) {
        tpm = TPMDevice(path: path)
        self.countsChanges = countsChanges
    }

    package func create(
        random: any RandomSource
    ) throws(AuthenticatorStoreError) -> (key: SymmetricKey, description: [UInt8]) {
        var bytes = random.bytes(32)
        let key = Secret(wiping: &bytes)
        let sealed = try AuthenticatorStoreError.converting { () throws(TPMError) in
            try tpm.seal(key)
        }
        let store = key.withBytes { SymmetricKey(data: $0) }
        var writer = CTAPMapWriter()
        writer.set(0, octet: Self.kind)
        sealed.add(to: &writer)
        if countsChanges {
            let counter = try AuthenticatorStoreError.converting { () throws(TPMError) in
                try TPMCounter.define(
                    in: tpm, password: TPMCounter.password(store), random: random)
            }
            writer.set(3, unsigned: UInt64(counter))
        }
        return (store, writer.encoded)
    }

    package func open(_ description: [UInt8]) throws(AuthenticatorStoreError) -> SymmetricKey {
        guard let reader = try? CTAPMapReader(description, "vault"),
            (try? reader.octet(0, "kind")) == Self.kind, let sealed = TPMObject(reader)
        else { throw .locked }
        let key = try AuthenticatorStoreError.converting { () throws(TPMError) in
            try tpm.unseal(sealed)
        }
        return try key.withBytes { (bytes) throws(AuthenticatorStoreError) in
            guard bytes.count == 32 else { throw .damaged }
            return SymmetricKey(data: bytes)
        }
    }

    /// Stores of before there was a counter have none.
    package func counter(
        _ description: [UInt8], key: SymmetricKey
    ) -> (any MonotonicCounter)? {
        guard let reader = try? CTAPMapReader(description, "vault"),
            let index = (try? reader.unsigned(3, "index")).flatMap(UInt32.init(exactly:))
        else { return nil }
        return TPMCounter(tpm, index: index, password: TPMCounter.password(key))
    }
}
