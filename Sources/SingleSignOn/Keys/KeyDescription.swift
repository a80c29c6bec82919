// SPDX-License-Identifier: Apache-2.0

/// What the table says of one key: from it a payload is checked, and its documentation is drawn.
package struct KeyDescription: Sendable {
    /// Where the key stands in the declaration form of macOS 27, under `Payload`.
    package enum Declared: Sendable, Equatable {
        /// At this path, its parts between dots.
        case at(String)
        /// The dictionary is taken apart; its keys say themselves where they are.
        case inParts
        /// Not there.
        case absent
    }

    package let name: String
    package let form: KeyForm
    package var isRequired = false
    /// What holds when the key is absent.
    package var standard: PropertyList?
    /// The first macOS that knows the key.
    package var since: SystemVersion
    /// The macOS from which on it should not be used.
    package var deprecated: SystemVersion?
    /// Whether iOS knows it too.
    package var isOnIOS = false
    package var declared: Declared = .absent
    /// One sentence.
    package var meaning: String
}
