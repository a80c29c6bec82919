// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The permission bits of files.
enum FileModeBits {
    /// Whether other accounts than the owner may read or write the file; `true` if the mode cannot
    /// be read.
    static func isExposed(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let mode = attributes?[.posixPermissions] as? NSNumber else { return true }
        return mode.uint16Value & 0o077 != 0
    }
}
