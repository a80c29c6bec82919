// SPDX-License-Identifier: Apache-2.0
import Platform

/// Writes data before the program ends, without buffering.
enum StandardOutput {
    static var isTerminal: Bool { Descriptor.standardOutput.isTerminal }

    /// The current width of the terminal; 80 if the output is not a terminal or the width is
    /// unknown.
    static var columns: Int { Descriptor.standardOutput.columns ?? 80 }

    /// Writes the line at once, also into a pipe.
    static func printNow(_ line: String) { write(Array((line + "\n").utf8)) }

    /// Writes bytes as they are.
    static func write(_ content: [UInt8]) {
        try? Descriptor.standardOutput.write(all: content)
    }
}
