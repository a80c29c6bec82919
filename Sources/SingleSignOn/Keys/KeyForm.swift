// SPDX-License-Identifier: Apache-2.0

/// The form of a value.
package indirect enum KeyForm: Sendable {
    case string
    case choice([Choice])
    case boolean
    /// Not less than `least`.
    case integer(least: Int64?)
    case real
    case date
    case data
    case list(KeyForm)
    /// Arbitrary names, each with such a value.
    case map(KeyForm)
    case dictionary([KeyDescription])
    case anything

    /// One of the values of a key.
    package struct Choice: Sendable {
        package let value: String
        /// The version, if it is newer than its key's.
        package let since: SystemVersion?

        package init(_ value: String, since: SystemVersion? = nil) {
            self.value = value
            self.since = since
        }
    }

    /// The name of the form for people.
    package var name: String {
        switch self {
        case .string: "string"
        case .choice: "string"
        case .boolean: "boolean"
        case .integer: "integer"
        case .real: "real"
        case .date: "date"
        case .data: "data"
        case .list(let form): "array of \(form.plural)"
        case .map(let form): "dictionary of \(form.plural)"
        case .dictionary: "dictionary"
        case .anything: "any value"
        }
    }

    private var plural: String {
        switch self {
        case .dictionary: "dictionaries"
        case .list(let form): "arrays of \(form.plural)"
        case .anything: "any values"
        default: name + "s"
        }
    }
}
