// SPDX-License-Identifier: Apache-2.0
import Platform

/// Data, for whom it cannot wait until the program ends.
package enum StandardOutput {
    package static var isTerminal: Bool { Descriptor.standardOutput.isTerminal }

    /// How wide the terminal is now; 80 for what is none, or does not say.
    package static var columns: Int { Descriptor.standardOutput.columns ?? 80 }

    /// Writes the line at once, also into a pipe.
    package static func printNow(_ line: String) { write(Array((line + "\n").utf8)) }

    /// Writes bytes as they are.
    package static func write(_ content: [UInt8]) {
        try? Descriptor.standardOutput.write(all: content)
    }
}
