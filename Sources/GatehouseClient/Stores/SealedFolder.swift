// SPDX-License-Identifier: Apache-2.0
import Primitives
import UserClient

/// Where the key comes from that seals the files of a store.
public enum StoreSealingKey: Sendable {
    /// A file beside the others, made at first use. It keeps the records apart from whoever gets a
    /// single one of them, and shows what was changed; whoever copies the whole folder has all.
    case besideRecords
    /// 32 bytes from elsewhere: unsealed by a TPM, or handed over by the system's key ring.
    case provided(@Sendable () async throws -> [UInt8])
}

/// Records in a folder, one sealed file each. Each is bound to its name, so that none can be put in
/// the place of another.
final class SealedFolder: Sendable {
    private let folder: PrivateFolder
    private let source: StoreSealingKey
    private let random: any RandomSource

    private static let suffix = ".sealed"
    private static let keyFile = "store.key"

    init(_ folder: PrivateFolder, _ source: StoreSealingKey, random: any RandomSource) {
        self.folder = folder
        self.source = source
        self.random = random
    }

    func read(_ name: RecordName) async throws -> [UInt8]? {
        guard let sealed = try content(name.rawValue + Self.suffix) else { return nil }
        guard let seal = try await seal(making: false) else {
            throw StoreError.damaged("\(folder.path(of: Self.keyFile)) is missing")
        }
        return try seal.open(sealed, context: Self.context(name))
    }

    func write(_ bytes: [UInt8], to name: RecordName) async throws {
        try make()
        guard let seal = try await seal(making: true) else {
            throw StoreError.unavailable("no key to seal with")
        }
        try replace(name.rawValue + Self.suffix, try seal.seal(bytes, context: Self.context(name)))
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
        do { lock = try await folder.lock(name + ".lock") } catch { throw Self.failure(error) }
        defer { lock.release() }
        return try await body()
    }

    // MARK: The key

    private func seal(making: Bool) async throws -> RecordSeal? {
        switch source {
        case .provided(let provide): return try Self.seal(try await provide())
        case .besideRecords:
            if let key = try content(Self.keyFile) { return try Self.seal(key) }
            guard making else { return nil }
            return try await withLock(Self.keyFile) {
                if let key = try self.content(Self.keyFile) { return try Self.seal(key) }
                let key = self.random.bytes(32)
                try self.replace(Self.keyFile, key)
                return try Self.seal(key)
            }
        }
    }

    private static func seal(_ key: [UInt8]) throws -> RecordSeal {
        guard key.count == 32 else { throw StoreError.damaged("the sealing key is not 32 bytes") }
        return RecordSeal(Secret(key))
    }

    private static func context(_ name: RecordName) -> [UInt8] {
        Array("gatehouse-client/1/\(name.rawValue)".utf8)
    }

    // MARK: Files

    private func make() throws {
        do { try folder.make() } catch { throw Self.failure(error) }
    }

    private func content(_ file: String) throws -> [UInt8]? {
        do { return try folder.read(file) } catch { throw Self.failure(error) }
    }

    private func replace(_ file: String, _ bytes: [UInt8]) throws {
        do { try folder.replace(file, with: bytes) } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: any Error) -> StoreError {
        guard case UserClientError.file(let text) = error else {
            return .unavailable("\(error)")
        }
        return .unavailable(text)
    }
}
