// SPDX-License-Identifier: Apache-2.0
import Primitives
import UserClient

/// Keys in sealed files: for machines without hardware that can hold keys; where there is a TPM, it
/// seals the files, and ``TPMKeyStore`` is stronger.
public struct FileKeyStore: KeyStore {
    private let folder: SealedDirectory
    private let random = SystemRandomSource()

    /// - Parameters:
    ///   - directory: Absolute, and another one than that of the records.
    ///   - key: See ``StoreSealingKey``.
    public init(directory: String, sealedWith key: StoreSealingKey = .machine) {
        folder = SealedDirectory(
            OwnerOnlyDirectory(directory), DirectoryKeyProtector(key, random: random))
    }

    /// See ``KeyStore/makeKey(_:)``.
    public func makeKey(_ name: RecordName) async throws -> any StoredKey {
        let key = try SoftwareSigningKey(random: random)
        try await folder.write(key.stored, to: name)
        return key
    }

    /// See ``KeyStore/key(_:)``.
    public func key(_ name: RecordName) async throws -> (any StoredKey)? {
        try await folder.read(name).map { try SoftwareSigningKey(stored: $0) }
    }

    /// See ``KeyStore/removeKey(_:)``.
    public func removeKey(_ name: RecordName) async throws { try folder.remove(name) }

    /// See ``KeyStore/keyNames()``.
    public func keyNames() async throws -> [RecordName] { try folder.names() }
}
