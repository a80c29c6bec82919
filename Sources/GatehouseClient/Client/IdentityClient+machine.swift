// SPDX-License-Identifier: Apache-2.0

extension IdentityClient {
    /// A client that keeps things where this machine keeps them best.
    ///
    /// | | records | keys |
    /// |---|---|---|
    /// | Apple's systems | keychain | Secure Enclave; keychain on a device that has none |
    /// | otherwise | sealed files in `$XDG_STATE_HOME/gatehouse/apps/CLIENT`, or below `~/.local/state`, sealed by a TPM 2.0 that this process may use | the same TPM, or files where there is none |
    ///
    /// What fails there is an error, and never a way to something weaker: an app that the system
    /// lets not at the keychain gets ``IdentityError/Code/storageUnavailable``. Programs without an
    /// App ID, which have none, name a key.
    ///
    /// - Parameters:
    ///   - configuration: Which provider, and which client of its.
    ///   - directory: Another place than that, absolute; in the keychain another set of items.
    ///   - key: With another one than ``StoreSealingKey/machine`` sealed files are meant, on all
    ///     systems.
    ///   - attestor: See ``init(configuration:store:keys:attestor:verifiers:passkeys:transport:time:)``.
    ///   - verifiers: See there.
    ///   - passkeys: See there.
    /// - Throws: ``IdentityError/Code/configurationInvalid``, also when there is no such folder.
    public static func onThisMachine(
        _ configuration: ClientConfiguration, directory: String? = nil,
        sealedWith key: StoreSealingKey = .machine, attestor: (any DeviceAttestor)? = nil,
        verifiers: [any UserVerifier] = [], passkeys: (any PasskeyAuthenticator)? = nil
    ) throws -> IdentityClient {
        let stores = try MachineStores(
            of: configuration.clientID, directory: directory,
            leavesKeyToMachine: key.isLeftToMachine, on: .current
        ).open(sealedWith: key)
        return try IdentityClient(
            configuration: configuration, store: stores.records, keys: stores.keys,
            attestor: attestor, verifiers: verifiers, passkeys: passkeys)
    }
}
