// SPDX-License-Identifier: Apache-2.0

/// The size limits of a property list. The defaults accept any profile that a device would accept.
package struct PropertyListLimits: Sendable, Equatable {
    /// Longer input is refused without being read.
    package var bytes = 1_048_576
    /// The maximum nesting depth of containers.
    package var depth = 32
    /// The maximum number of values; a shared one counts at each reference.
    package var values = 100_000
    /// The maximum number of bytes of text and data, counted likewise.
    package var content = 4_194_304

    package init() {}
}
