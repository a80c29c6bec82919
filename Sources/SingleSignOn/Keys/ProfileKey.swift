// SPDX-License-Identifier: Apache-2.0
import Primitives

/// One line of the table: the key, and the field of `Owner` with its value.
package struct ProfileKey<Owner: Sendable>: Sendable {
    package typealias Field<Value> = any WritableKeyPath<Owner, Value?> & Sendable

    package let description: KeyDescription
    /// Sets the field to the value; a value of another form is ignored.
    package let load: @Sendable (PropertyList, inout Owner) -> Void
    /// Returns the value of the field, if it is set.
    package let store: @Sendable (Owner) -> PropertyList?

    /// - Parameters:
    ///   - form: If it is narrower than that of the field's type.
    ///   - declared: Its location in the declaration.
    package init<Value: ProfileValue>(
        _ name: String, _ field: Field<Value>, form: KeyForm? = nil, required: Bool = false,
        default standard: PropertyList? = nil, since: SystemVersion,
        deprecated: SystemVersion? = nil, iOS: Bool = false,
        declared: KeyDescription.Declared = .absent, _ meaning: String
    ) {
        description = KeyDescription(
            name: name, form: form ?? Value.form, isRequired: required, standard: standard,
            since: since, deprecated: deprecated, isOnIOS: iOS, declared: declared,
            meaning: meaning)
        load = { value, owner in
            if let value = Value(propertyList: value) { owner[keyPath: field] = value }
        }
        store = { $0[keyPath: field]?.propertyList }
    }

    /// Creates a key for bytes: `data` in a property list, Base64 in the declaration.
    package init(
        bytes name: String, _ field: Field<[UInt8]>, since: SystemVersion, iOS: Bool = false,
        declared: KeyDescription.Declared = .absent, _ meaning: String
    ) {
        description = KeyDescription(
            name: name, form: .data, since: since, isOnIOS: iOS, declared: declared,
            meaning: meaning)
        load = { value, owner in
            switch value {
            case .data(let bytes): owner[keyPath: field] = bytes
            case .string(let text): owner[keyPath: field] = Base64.decode(text)
            default: break
            }
        }
        store = { $0[keyPath: field].map { .data($0) } }
    }

    /// Creates a key for entries of any kind, which are unchanged.
    package init(
        entries name: String, _ field: Field<[PropertyList.Entry]>, since: SystemVersion,
        iOS: Bool = false, declared: KeyDescription.Declared = .absent, _ meaning: String
    ) {
        description = KeyDescription(
            name: name, form: .map(.anything), since: since, isOnIOS: iOS, declared: declared,
            meaning: meaning)
        load = { value, owner in
            if let entries = value.entries { owner[keyPath: field] = entries }
        }
        store = { $0[keyPath: field].map { .dictionary($0) } }
    }
}
