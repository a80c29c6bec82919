// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Platform
import Primitives
import Support
import Synchronization
import Testing
import UserClient

/// The folder of a store, on a disk that a test fills, with files that it changes.
final class HarmedFolder: Sendable {
    private let disk = FullDisk()
    private let place: String

    init(_ place: String) { self.place = place }

    func store(_ key: StoreSealingKey) -> FileSecureStore {
        FileSecureStore(
            OwnerOnlyDirectory(place, on: SystemDisk(write: disk.write)), sealedWith: key,
            random: SystemRandomSource())
    }

    func fill(_ isFull: Bool) { disk.leave(isFull ? 0 : .max) }

    func damage(_ name: RecordName) throws {
        let files = OwnerOnlyDirectory(place)
        let file = "\(name.rawValue).sealed"
        var bytes = try #require(try files.read(file))
        bytes[bytes.count - 1] ^= 1
        try files.replace(file, with: bytes)
    }

    var faults: SecureStoreConformance.Faults {
        SecureStoreConformance.Faults(
            fillDisk: { [self] in fill($0) }, damage: { [self] in try damage($0) })
    }
}

/// A disk with a limited number of free bytes.
final class FullDisk: Sendable {
    private let room = Mutex(Int.max)

    func leave(_ bytes: Int) { room.withLock { $0 = bytes } }

    var write: SystemDisk.Write {
        { [self] descriptor, bytes, count in
            let allowed = room.withLock { room in
                let allowed = min(room, count)
                if room != .max { room -= allowed }
                return allowed
            }
            guard allowed > 0 else {
                errno = ENOSPC
                return -1
            }
            return SystemDisk.systemWrite(descriptor, bytes, allowed)
        }
    }
}

/// `store-process`, several of them at once.
enum StoreProcesses {
    /// In the directory of the tests.
    static let program = Bundle.main.executableURL?.deletingLastPathComponent()
        .appending(path: "store-process").resolvingSymlinksInPath()

    /// Five processes that count to twenty each; gives how far they came together.
    ///
    /// - Parameter key: The path of a TPM; any other value selects a key file.
    static func count(in place: String, sealedWith key: String) async throws -> Int {
        let (program, logs) = (try #require(program), TestFolder())
        let children = try (0..<5).map { number in
            try ChildProcess(
                program, [place, key, "20"], log: URL(filePath: logs.path("\(number)")))
        }
        for child in children {
            let status = try await child.ended(within: .seconds(60))
            #expect(status == 0, "\(child.lastWords)")
        }
        return try await SecureStoreConformance.counted(
            in: FileSecureStore(
                directory: place, sealedWith: key == "file" ? .besideRecords : .tpm(path: key)))
    }
}
