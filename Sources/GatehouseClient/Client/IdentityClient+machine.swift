// SPDX-License-Identifier: Apache-2.0
import UserClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension IdentityClient {
    /// A client whose stores are in the person's own folders on this machine:
    /// `$XDG_STATE_HOME/gatehouse/apps/CLIENT`, or below `~/.local/state`. Where this process may
    /// use a TPM 2.0, the keys are in it, and the files are sealed by it.
    ///
    /// - Parameters:
    ///   - configuration: Which provider, and which client of its.
    ///   - directory: Another place than that.
    ///   - key: See ``StoreSealingKey``.
    ///   - verifiers: See ``init(configuration:store:keys:attestor:verifiers:passkeys:transport:time:)``.
    ///   - passkeys: See there.
    /// - Throws: ``IdentityError/Code/configurationInvalid``, also when there is no such folder.
    public static func onThisMachine(
        _ configuration: ClientConfiguration, directory: String? = nil,
        sealedWith key: StoreSealingKey = .machine, verifiers: [any UserVerifier] = [],
        passkeys: (any PasskeyAuthenticator)? = nil
    ) throws -> IdentityClient {
        let usual = TokenFile.standardDirectory(ProcessInfo.processInfo.environment)
        guard
            let place = directory
                ?? usual.map({ "\($0)/apps/\(Self.fileName(configuration.clientID))" }),
            place.hasPrefix("/")
        else {
            throw IdentityError(
                .generic, .configurationInvalid, "there is no home directory to keep anything in")
        }
        return try IdentityClient(
            configuration: configuration,
            store: FileCredentialStore(directory: "\(place)/records", sealedWith: key),
            keys: Self.keys("\(place)/keys", sealedWith: key),
            verifiers: verifiers, passkeys: passkeys)
    }

    /// With the TPM that seals the files where there is one, and in them where another key does.
    private static func keys(
        _ directory: String, sealedWith key: StoreSealingKey
    ) -> any KeyStore {
        switch key {
        case .machine: MachineKeyStore(directory: directory)
        case .tpm(let path): TPMKeyStore(directory: directory, tpm: path)
        case .besideRecords, .provided: FileKeyStore(directory: directory, sealedWith: key)
        }
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
