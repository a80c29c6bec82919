// SPDX-License-Identifier: Apache-2.0

/// How much a property list may be. The defaults hold any profile that a device would take.
package struct PropertyListLimits: Sendable, Equatable {
    /// Longer input is refused unread.
    package var bytes = 1_048_576
    /// How many containers may stand inside one another.
    package var depth = 32
    /// How many values there may be, a shared one counted each time it is referred to.
    package var values = 100_000
    /// How many bytes of text and data there may be, counted likewise.
    package var content = 4_194_304

    package init() {}
}
