// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A type that represents a value of a profile.
package protocol ProfileValue: Sendable {
    static var form: KeyForm { get }

    /// Returns `nil` if the value has another form.
    init?(propertyList value: PropertyList)

    var propertyList: PropertyList { get }
}

extension String: ProfileValue {
    package static var form: KeyForm { .string }

    package init?(propertyList value: PropertyList) {
        guard case .string(let text) = value else { return nil }
        self = text
    }

    package var propertyList: PropertyList { .string(self) }
}

extension Bool: ProfileValue {
    package static var form: KeyForm { .boolean }

    package init?(propertyList value: PropertyList) {
        guard case .boolean(let truth) = value else { return nil }
        self = truth
    }

    package var propertyList: PropertyList { .boolean(self) }
}

extension Int64: ProfileValue {
    package static var form: KeyForm { .integer(least: nil) }

    package init?(propertyList value: PropertyList) {
        guard case .integer(let number) = value else { return nil }
        self = number
    }

    package var propertyList: PropertyList { .integer(self) }
}

extension Double: ProfileValue {
    package static var form: KeyForm { .real }

    package init?(propertyList value: PropertyList) {
        switch value {
        case .real(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }

    package var propertyList: PropertyList { .real(self) }
}

extension Timestamp: ProfileValue {
    package static var form: KeyForm { .date }

    package init?(propertyList value: PropertyList) {
        guard case .date(let date) = value else { return nil }
        self = date
    }

    package var propertyList: PropertyList { .date(self) }
}

extension Secret: ProfileValue {
    package static var form: KeyForm { .string }

    package init?(propertyList value: PropertyList) {
        guard case .string(let text) = value else { return nil }
        self.init(text)
    }

    package var propertyList: PropertyList { .string(revealText()) }
}

/// Elements of another form are ignored, because the validation of the payload reports them.
extension Array: ProfileValue where Element: ProfileValue {
    package static var form: KeyForm { .list(Element.form) }

    package init?(propertyList value: PropertyList) {
        guard case .array(let values) = value else { return nil }
        self = values.compactMap { Element(propertyList: $0) }
    }

    package var propertyList: PropertyList { .array(map(\.propertyList)) }
}

/// In the order of the names, so that the same dictionary is written the same.
extension Dictionary: ProfileValue where Key == String, Value: ProfileValue {
    package static var form: KeyForm { .map(Value.form) }

    package init?(propertyList value: PropertyList) {
        guard case .dictionary(let entries) = value else { return nil }
        self = [:]
        for entry in entries { self[entry.name] = Value(propertyList: entry.value) }
    }

    package var propertyList: PropertyList {
        .dictionary(
            sorted { $0.key < $1.key }.map { PropertyList.Entry($0.key, $0.value.propertyList) })
    }
}

/// A value of an enumeration.
package protocol ProfileChoice: ProfileValue, CaseIterable, Hashable, RawRepresentable
where RawValue == String {
    /// The macOS version of the value, if it is newer than the key's.
    var since: SystemVersion? { get }
}

extension ProfileChoice {
    package static var form: KeyForm {
        .choice(allCases.map { KeyForm.Choice($0.rawValue, since: $0.since) })
    }

    package init?(propertyList value: PropertyList) {
        guard case .string(let text) = value else { return nil }
        self.init(rawValue: text)
    }

    package var propertyList: PropertyList { .string(rawValue) }
    package var since: SystemVersion? { nil }
}
