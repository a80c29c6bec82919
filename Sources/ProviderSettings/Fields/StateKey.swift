// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A key of a state file. It is derived from the tables that parse documents, for editors and for
/// the documentation.
package struct StateKey: Sendable {
    package let name: String
    /// The accepted types, by the names of JSON Schema: `string`, `boolean`, `integer`, `array`,
    /// `object`.
    package var kinds: [String] = []
    /// The accepted strings, also as elements of a list; empty if all are accepted.
    package var choices: [String] = []
    /// The types of the elements or values of a list or object without ``members``.
    package var elements: [String] = []
    /// The maximum number of elements, if it is not that of all lists.
    package var maximumCount: Int?
    /// The range of a number.
    package var range: ClosedRange<Int64>?
    /// Whether a number is a number of seconds.
    package var isSeconds = false
    /// The default; `nil` if there is none.
    package var usual: JSONValue?
    /// A description instead of a default; empty if ``usual`` is sufficient.
    package var note = ""
    package var isNeeded = false
    /// Whether null removes the value.
    package var isClearable = false
    /// Whether the empty string is refused.
    package var isNonempty = false
    /// Whether the order of a list has a meaning, such as a preference.
    package var isOrdered = false
    /// Whether the value, or each element, is in PEM, as certificates and keys are.
    package var isPEM = false
    /// A regular expression of JSON Schema for a string.
    package var pattern: String?
    /// A description for the Admin API, or for documentation; empty if the name is sufficient.
    package var summary = ""
    /// The keys of an object, or of the objects in a list.
    package var members: [StateKey] = []

    package init(
        _ name: String, _ kinds: String..., isNeeded: Bool = false, choices: [String] = [],
        elements: [String] = [], members: [StateKey] = [], summary: String = ""
    ) {
        self.init(name, kinds)
        self.isNeeded = isNeeded
        self.choices = choices
        self.elements = elements
        self.members = members
        self.summary = summary
    }

    package init(_ name: String, _ kinds: [String]) {
        self.name = name
        self.kinds = kinds
    }

    /// The keys of a secret, which can also be in a file or an environment variable.
    package static func secret(_ name: String) -> [StateKey] {
        ["", "_file", "_env"].map { StateKey(name + $0, "string") }
    }
}
