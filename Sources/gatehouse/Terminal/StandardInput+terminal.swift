// SPDX-License-Identifier: Apache-2.0
import Platform

extension StandardInput {
    /// Whether somebody is there to give one.
    static var isTerminal: Bool { Descriptor.standardInput.isTerminal }
}
