// SPDX-License-Identifier: Apache-2.0

/// The table entry of one key: the basis of validation and documentation.
package struct KeyDescription: Sendable {
    /// The location of the key in the declaration form of macOS 27, under `Payload`.
    package enum Declared: Sendable, Equatable {
        /// At this path, its parts between dots.
        case at(String)
        /// The keys of the dictionary have separate locations.
        case inParts
        /// Not there.
        case absent
    }

    package let name: String
    package let form: KeyForm
    package var isRequired = false
    /// The default if the key is absent.
    package var standard: PropertyList?
    /// The first macOS that supports the key.
    package var since: SystemVersion
    /// The macOS version from which it is deprecated.
    package var deprecated: SystemVersion?
    /// Whether iOS supports it too.
    package var isOnIOS = false
    package var declared: Declared = .absent
    /// The description in one sentence.
    package var meaning: String
}
