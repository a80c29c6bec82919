// SPDX-License-Identifier: Apache-2.0
import Platform
import Storage

/// A private directory for the files of one database, removed with this value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        do throws(PlatformError) {
            path = try Directory.createTemporary(prefix: "gatehouse")
        } catch { throw StorageError(.unavailable, "\(error.code)") }
    }

    deinit {
        for name in (try? Directory.names(in: path)) ?? [] {
            try? FileSystem.remove("\(path)/\(name)")
        }
        try? Directory.remove(path)
    }
}
