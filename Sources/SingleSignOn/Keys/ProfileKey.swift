// SPDX-License-Identifier: Apache-2.0
import Primitives

/// One line of the table: what a key is, and in which field of `Owner` its value lives.
package struct ProfileKey<Owner: Sendable>: Sendable {
    package typealias Field<Value> = any WritableKeyPath<Owner, Value?> & Sendable

    package let description: KeyDescription
    /// Puts the value into its field; a value of another form leaves it alone.
    package let load: @Sendable (PropertyList, inout Owner) -> Void
    /// The value of the field, when there is one.
    package let store: @Sendable (Owner) -> PropertyList?

    /// - Parameters:
    ///   - form: when it is narrower than that of the field's type.
    ///   - declared: its place in the declaration.
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

    /// Bytes: `data` in a property list, base64 in the declaration.
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

    /// Entries of any kind, handed on as they are.
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
