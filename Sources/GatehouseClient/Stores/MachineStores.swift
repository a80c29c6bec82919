// SPDX-License-Identifier: Apache-2.0
import UserClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The default location of a client's stores. It depends on the capabilities of the device, is
/// chosen before a store is opened, and does not change after an error.
package enum MachineStores: Equatable, Sendable {
    /// Records in the keychain; keys in the Secure Enclave, or in the keychain of a device that has
    /// none. Locks are empty files.
    case keychain(service: String, keysInEnclave: Bool, lockDirectory: String)
    /// Sealed files in that folder, and keys in a TPM where there is one.
    case folder(String)

    /// The capabilities of a device.
    package struct Machine: Sendable {
        package var hasKeychain: Bool
        package var hasSecureEnclave: Bool
        /// The person's own folder for what programs keep; `nil` when there is none.
        package var stateDirectory: String?

        package init(hasKeychain: Bool, hasSecureEnclave: Bool, stateDirectory: String?) {
            self.hasKeychain = hasKeychain
            self.hasSecureEnclave = hasSecureEnclave
            self.stateDirectory = stateDirectory
        }
    }

    /// - Parameters:
    ///   - directory: The app's own choice of a folder. Two of them are two installations, in the
    ///     keychain as well.
    ///   - leavesKeyToMachine: Whether the app has not passed a key. A key selects sealed files.
    /// - Throws: ``IdentityError/Code/configurationInvalid``.
    package init(
        of clientID: String, directory: String?, leavesKeyToMachine: Bool, on machine: Machine
    ) throws {
        let name = Self.fileName(clientID)
        guard
            let place = directory ?? machine.stateDirectory.map({ "\($0)/apps/\(name)" }),
            place.hasPrefix("/")
        else {
            throw IdentityError(
                .generic, .configurationInvalid, "the process has no home directory")
        }
        guard machine.hasKeychain, leavesKeyToMachine else {
            self = .folder(place)
            return
        }
        self = .keychain(
            service: "gatehouse.apps.\(name)" + (directory.map { "@\($0)" } ?? ""),
            keysInEnclave: machine.hasSecureEnclave, lockDirectory: "\(place)/locks")
    }

    /// A client's id as the name of a folder.
    private static func fileName(_ clientID: String) -> String {
        String(
            clientID.prefix(64).map { letter in
                letter.isASCII && (letter.isLetter || letter.isNumber || letter == "-")
                    ? letter : "_"
            })
    }
}

extension MachineStores {
    /// Records and keys, there.
    func open(
        sealedWith key: StoreSealingKey
    ) throws -> (records: any SecureStore, keys: any KeyStore) {
        switch self {
        case .folder(let place):
            return (
                FileSecureStore(directory: "\(place)/records", sealedWith: key),
                Self.keys("\(place)/keys", sealedWith: key)
            )
        case .keychain(let service, let keysInEnclave, let locks):
            #if canImport(CryptoKit) && canImport(Security)
                let keys: any KeyStore =
                    keysInEnclave
                    ? SecureEnclaveKeyStore(service: "\(service).keys")
                    : KeychainKeyStore(service: "\(service).keys")
                return (KeychainSecureStore(service: service, lockDirectory: locks), keys)
            #else
                throw IdentityError(
                    .generic, .configurationInvalid,
                    "no keychain for \(service): \(keysInEnclave), \(locks)")
            #endif
        }
    }

    /// Returns the key store: the TPM that seals the files, or files for any other key.
    private static func keys(
        _ directory: String, sealedWith key: StoreSealingKey
    ) -> any KeyStore {
        switch key {
        case .machine: DefaultKeyStore(directory: directory)
        case .tpm(let path): TPMKeyStore(directory: directory, tpm: path)
        case .besideRecords, .provided: FileKeyStore(directory: directory, sealedWith: key)
        }
    }
}

extension MachineStores.Machine {
    /// This one.
    static var current: MachineStores.Machine {
        #if canImport(CryptoKit) && canImport(Security)
            // Where apps on phones may write too.
            let support = FileManager.default.urls(
                for: .applicationSupportDirectory, in: .userDomainMask
            ).first
            return .init(
                hasKeychain: true, hasSecureEnclave: SecureEnclaveKeyStore.isAvailable,
                stateDirectory: support?.appending(path: "gatehouse").path(percentEncoded: false))
        #else
            return .init(
                hasKeychain: false, hasSecureEnclave: false,
                stateDirectory: TokenFile.standardDirectory(ProcessInfo.processInfo.environment))
        #endif
    }
}

extension StoreSealingKey {
    /// Whether the machine is to choose.
    var isLeftToMachine: Bool { if case .machine = self { true } else { false } }
}
