// SPDX-License-Identifier: Apache-2.0
import Platform

/// Reads the small files of `/sys`. They are made by the kernel on the spot and do not block.
enum SystemFiles {
    /// At most `limit` bytes of a file, or `nil` when it cannot be read.
    static func read(_ path: String, limit: Int = 4096) -> [UInt8]? {
        guard let file = try? Descriptor.open(path) else { return nil }
        defer { file.close() }
        return (try? file.readAll(limit: limit)).map { Array($0.prefix(limit)) }
    }

    /// The names in a folder, without those that begin with a dot.
    static func names(in path: String) -> [String] {
        let names = (try? Directory.names(in: path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }
}
