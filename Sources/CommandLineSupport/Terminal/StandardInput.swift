// SPDX-License-Identifier: Apache-2.0
import Platform

/// What is piped in.
package enum StandardInput {
    /// Whether a person can type there.
    package static var isTerminal: Bool { Descriptor.standardInput.isTerminal }

    package static func readAll(limit: Int) -> [UInt8] {
        let content = try? Descriptor.standardInput.readAll(limit: limit)
        return (content ?? []).prefix(limit).map { $0 }
    }
}
