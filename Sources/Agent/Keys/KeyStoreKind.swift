// SPDX-License-Identifier: Apache-2.0

/// Where private keys live. None ever takes another's place.
package enum KeyStoreKind: String, Sendable, CaseIterable {
    /// In the agent's sealed file. Who can read the file and its key has them.
    case file
    /// In a TPM 2.0, which never gives them away.
    case tpm
    /// On a token that is reached through PKCS#11: a hardware module or a card of the machine's.
    case pkcs11

    /// The value in the header of the state file.
    var code: UInt8 {
        switch self {
        case .file: 0
        case .tpm: 1
        case .pkcs11: 2
        }
    }
}
