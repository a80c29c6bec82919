// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import TPM
package import UserClient

/// A store of sealed files in a directory that it owns, mode 0700. Any number of processes may
/// share it.
public struct FileSecureStore: SecureStore {
    private let folder: SealedDirectory

    /// - Parameters:
    ///   - directory: Absolute; made when something is first written.
    ///   - key: See ``StoreSealingKey``.
    public init(directory: String, sealedWith key: StoreSealingKey = .machine) {
        self.init(OwnerOnlyDirectory(directory), sealedWith: key, random: SystemRandomSource())
    }

    package init(
        _ folder: OwnerOnlyDirectory, sealedWith key: StoreSealingKey, random: any RandomSource,
        machine: TPMDevice = TPMDevice()
    ) {
        self.folder = SealedDirectory(
            folder, DirectoryKeyProtector(key, random: random, machine: machine))
    }

    /// See ``SecureStore/read(_:)``.
    public func read(_ name: RecordName) async throws -> [UInt8]? { try await folder.read(name) }

    /// See ``SecureStore/write(_:to:)``.
    public func write(_ bytes: [UInt8], to name: RecordName) async throws {
        try await folder.write(bytes, to: name)
    }

    /// See ``SecureStore/remove(_:)``.
    public func remove(_ name: RecordName) async throws { try folder.remove(name) }

    /// See ``SecureStore/names()``.
    public func names() async throws -> [RecordName] { try folder.names() }

    /// See ``SecureStore/withLock(_:_:)``.
    public func withLock<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await folder.withLock(name.rawValue, body)
    }

    /// See ``SecureStore/withLockIfFree(_:_:)``.
    public func withLockIfFree<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await folder.withLockIfFree(name.rawValue, body)
    }
}
