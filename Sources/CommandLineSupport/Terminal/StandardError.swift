// SPDX-License-Identifier: Apache-2.0
import Platform

/// Where everything goes that is not data.
package enum StandardError {
    package static var isTerminal: Bool { Descriptor.standardError.isTerminal }

    /// How wide the terminal is now; 80 for what is none, or does not say.
    package static var columns: Int { Descriptor.standardError.columns ?? 80 }

    package static func print(_ line: String) { write(line + "\n") }

    /// In one system call when the system takes it, so lines of several threads do not mix.
    package static func write(_ text: String) {
        try? Descriptor.standardError.write(all: text.utf8)
    }
}
