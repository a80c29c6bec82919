// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What this program needs of the process it is.
enum LineOutput {
    /// Writes a line to standard output without buffering, because another process waits for it.
    static func say(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(1, line, line.count)
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static func leave(_ status: Int32) -> Never { exit(status) }
}
