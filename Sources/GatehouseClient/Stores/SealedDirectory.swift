// SPDX-License-Identifier: Apache-2.0
import Platform
import UserClient

/// Records in a folder, one sealed file each. Each is bound to its name, so that none can be put in
/// the place of another.
final class SealedDirectory: Sendable {
    private let folder: OwnerOnlyDirectory
    private let key: DirectoryKeyProtector

    private static let suffix = ".sealed"

    init(_ folder: OwnerOnlyDirectory, _ key: DirectoryKeyProtector) {
        self.folder = folder
        self.key = key
    }

    func read(_ name: RecordName) async throws -> [UInt8]? {
        guard let sealed = try content(name.rawValue + Self.suffix) else { return nil }
        guard let seal = try await key.existing(content) else {
            throw StoreError.damaged("the key of \(folder.path) is missing")
        }
        return try seal.open(sealed, context: Self.context(name))
    }

    func write(_ bytes: [UInt8], to name: RecordName) async throws {
        try make()
        let sealed = try await seal().seal(bytes, context: Self.context(name))
        try replace(name.rawValue + Self.suffix, sealed)
    }

    func remove(_ name: RecordName) throws {
        do { try folder.remove(name.rawValue + Self.suffix) } catch { throw Self.failure(error) }
    }

    func names() throws -> [RecordName] {
        do {
            return try folder.names().compactMap { file in
                guard file.hasSuffix(Self.suffix) else { return nil }
                return RecordName(rawValue: String(file.dropLast(Self.suffix.count)))
            }
        } catch { throw Self.failure(error) }
    }

    func withLock<Value: Sendable>(
        _ name: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try make()
        let lock: FileLock
        do { lock = try await folder.lock(name + ".lock") } catch let error as CancellationError {
            throw error
        } catch { throw Self.failure(error) }
        let value = try await body()
        _ = consume lock
        return value
    }

    func withLockIfFree<Value: Sendable>(
        _ name: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value? {
        try make()
        let lock: FileLock?
        do { lock = try folder.lockIfFree(name + ".lock") } catch { throw Self.failure(error) }
        guard let lock else { return nil }
        let value = try await body()
        _ = consume lock
        return value
    }

    // MARK: The key

    /// The key to write with; of all who write first, in this process and in others, one makes it.
    private func seal() async throws -> RecordSeal {
        if let seal = try await key.existing(content) { return seal }
        return try await withLock(DirectoryKeyProtector.keyFile) {
            if let seal = try await self.key.existing(self.content) { return seal }
            guard let seal = try await self.key.make(self.replace) else {
                throw StoreError.unavailable("no key to seal with")
            }
            return seal
        }
    }

    private static func context(_ name: RecordName) -> [UInt8] {
        Array("gatehouse-client/1/\(name.rawValue)".utf8)
    }

    // MARK: Files

    private func make() throws {
        do { try folder.make() } catch { throw Self.failure(error) }
    }

    @Sendable private func content(_ file: String) throws -> [UInt8]? {
        do { return try folder.read(file) } catch {
            // What cannot be read because of what it is will not come back by waiting.
            if folder.isForeign(file) { throw StoreError.damaged("\(file) is no record: \(error)") }
            throw Self.failure(error)
        }
    }

    @Sendable private func replace(_ file: String, _ bytes: [UInt8]) throws {
        do { try folder.replace(file, with: bytes) } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: any Error) -> StoreError {
        guard case UserClientError.file(let text) = error else {
            return .unavailable("\(error)")
        }
        return .unavailable(text)
    }
}
