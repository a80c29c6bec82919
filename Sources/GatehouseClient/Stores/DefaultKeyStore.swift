// SPDX-License-Identifier: Apache-2.0

/// Keys in this machine's TPM where it has one that this process may use, and in sealed files
/// where it has none.
///
/// A key stays where it was made: keys do not move, and one in a TPM that is away is not replaced
/// by anything. Removing looks in both places.
public struct DefaultKeyStore: KeyStore {
    private let hardware: TPMKeyStore
    private let files: FileKeyStore
    private let hasHardware: @Sendable () -> Bool

    /// - Parameters:
    ///   - directory: Absolute, and another one than that of the records.
    ///   - key: The key that seals the files.
    ///   - path: The device, or the Unix socket of a software TPM.
    public init(
        directory: String, sealedWith key: StoreSealingKey = .machine,
        tpm path: String = "/dev/tpmrm0"
    ) {
        hardware = TPMKeyStore(directory: directory, tpm: path)
        files = FileKeyStore(directory: directory, sealedWith: key)
        hasHardware = { TPMKeyStore.isAvailable(tpm: path) }
    }

    /// See ``KeyStore/makeKey(_:)``.
    public func makeKey(_ name: RecordName) async throws -> any StoredKey {
        guard hasHardware() else {
            let key = try await files.makeKey(name)
            try await hardware.removeKey(name)
            return key
        }
        let key = try await hardware.makeKey(name)
        try await files.removeKey(name)
        return key
    }

    /// See ``KeyStore/key(_:)``.
    public func key(_ name: RecordName) async throws -> (any StoredKey)? {
        if let key = try await hardware.key(name) { return key }
        return try await files.key(name)
    }

    /// See ``KeyStore/removeKey(_:)``.
    public func removeKey(_ name: RecordName) async throws {
        try await hardware.removeKey(name)
        try await files.removeKey(name)
    }

    /// See ``KeyStore/keyNames()``.
    public func keyNames() async throws -> [RecordName] {
        let inHardware = try await hardware.keyNames()
        return inHardware + (try await files.keyNames()).filter { !inHardware.contains($0) }
    }
}
