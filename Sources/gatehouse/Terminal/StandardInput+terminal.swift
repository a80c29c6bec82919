// SPDX-License-Identifier: Apache-2.0
import Platform

extension StandardInput {
    /// Whether the input is a terminal.
    static var isTerminal: Bool { Descriptor.standardInput.isTerminal }
}
