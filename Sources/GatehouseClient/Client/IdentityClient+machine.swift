// SPDX-License-Identifier: Apache-2.0

extension IdentityClient {
    /// Creates a client with the most secure stores of this device.
    ///
    /// | | records | keys |
    /// |---|---|---|
    /// | Apple's systems | keychain | Secure Enclave, or keychain on a device without one |
    /// | otherwise | files in `$XDG_STATE_HOME/gatehouse/apps/CLIENT`, or below `~/.local/state`, sealed by a TPM 2.0 that this process may use | the same TPM, or files without one |
    ///
    /// An error does not select a weaker store: without access to the keychain an app gets
    /// ``IdentityError/Code/storageUnavailable``. Programs without an App ID pass a key.
    ///
    /// - Parameters:
    ///   - configuration: The provider, and the app's client there.
    ///   - directory: Another directory, as an absolute path; in the keychain another set of items.
    ///   - key: Any value except ``StoreSealingKey/machine`` selects sealed files, on all systems.
    ///   - attestor: See
    ///     ``init(configuration:store:keys:attestor:verifiers:passkeys:earlierPINs:transport:time:)``.
    ///   - verifiers: See there.
    ///   - passkeys: See there.
    ///   - earlierPINs: See there.
    /// - Throws: ``IdentityError/Code/configurationInvalid``, also if the directory does not exist.
    public static func onThisMachine(
        _ configuration: ClientConfiguration, directory: String? = nil,
        sealedWith key: StoreSealingKey = .machine, attestor: (any DeviceAttestor)? = nil,
        verifiers: [any UserVerifier] = [], passkeys: (any PasskeyAuthenticator)? = nil,
        earlierPINs: EarlierPINs? = nil
    ) throws -> IdentityClient {
        let stores = try MachineStores(
            of: configuration.clientID, directory: directory,
            leavesKeyToMachine: key.isLeftToMachine, on: .current
        ).open(sealedWith: key)
        return try IdentityClient(
            configuration: configuration, store: stores.records, keys: stores.keys,
            attestor: attestor, verifiers: verifiers, passkeys: passkeys,
            earlierPINs: earlierPINs)
    }
}
