// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A coder of the members of a configuration: one table of names serves writing and
/// reading.
protocol ConfigurationCoder {
    mutating func visit<Value>(
        _ name: String, _ value: inout Value, _ form: MemberForm<Value>
    ) throws(PlatformSSORefusal)
}

/// The JSON form of a member. A `nil` member is omitted, and an omitted member has its default.
struct MemberForm<Value> {
    let write: (Value) -> JSONValue?
    let form: JSONForm<Value>
}

/// A coder that writes every member.
struct ConfigurationWriter: ConfigurationCoder {
    var object = JSONObject()

    mutating func visit<Value>(
        _ name: String, _ value: inout Value, _ form: MemberForm<Value>
    ) throws(PlatformSSORefusal) {
        object[name] = form.write(value)
    }
}

extension JSONReader: ConfigurationCoder where Failure == PlatformSSORefusal {
    func visit<Value>(
        _ name: String, _ value: inout Value, _ form: MemberForm<Value>
    ) throws(PlatformSSORefusal) {
        value = try optional(name, form.form) ?? value
    }
}

// MARK: Forms

extension MemberForm where Value == String {
    /// At most 8192 bytes.
    static var text: MemberForm {
        MemberForm(write: { .string($0) }, form: .string(0...8192))
    }
}

extension MemberForm where Value == Bool {
    static var flag: MemberForm { MemberForm(write: { .bool($0) }, form: .bool) }
}

extension MemberForm where Value == [UInt8] {
    /// At most 64 KiB, in base64url.
    static var bytes: MemberForm {
        MemberForm(write: { .string(Base64URL.encode($0)) }, form: .base64url(0...65_536))
    }
}

extension MemberForm where Value == Secret {
    static var secret: MemberForm {
        MemberForm(
            write: { MemberForm<[UInt8]>.bytes.write($0.reveal()) },
            form: MemberForm<[UInt8]>.bytes.form.map("a secret in base64url") { Secret($0) })
    }
}

extension MemberForm where Value == PublicJWK {
    static var key: MemberForm { MemberForm(write: { $0.json }, form: .publicKey) }
}

extension MemberForm where Value == ResponsePredicate {
    static var predicate: MemberForm {
        MemberForm(
            write: { .string($0.text) },
            form: JSONForm<String>.string.map("a predicate") { try? ResponsePredicate($0) })
    }
}

extension MemberForm where Value == FormField {
    static var field: MemberForm {
        MemberForm(
            write: { [.string($0.name), .string($0.value)] },
            form: JSONForm<[String]>.strings.map("a name with its value") { pair in
                pair.count == 2 ? FormField(pair[0], pair[1]) : nil
            })
    }
}

extension MemberForm where Value == CustomClaims {
    static var claims: MemberForm {
        MemberForm(
            write: {
                .object(
                    JSONObject([
                        .init(name: "header", value: .object($0.header)),
                        .init(name: "body", value: .object($0.body)),
                    ]))
            },
            form: JSONForm<JSONObject>.object.map("an object with header and body") { object in
                guard object.members.count == 2, let header = object["header"]?.object,
                    let body = object["body"]?.object
                else { return nil }
                return CustomClaims(header: header, body: body)
            })
    }
}

extension MemberForm where Value: RawRepresentable<String> {
    static var choice: MemberForm {
        MemberForm(write: { .string($0.rawValue) }, form: .choice)
    }
}

extension MemberForm where Value == BiometricPolicy {
    static var policy: MemberForm {
        MemberForm(
            write: { .integer(Int64($0.rawValue)) },
            form: JSONForm<Int64>.integer(0...15).map("bits from 0 to 15") {
                BiometricPolicy(rawValue: UInt($0))
            })
    }
}

extension MemberForm {
    /// An optional member.
    func optional() -> MemberForm<Value?> {
        MemberForm<Value?>(
            write: { $0.flatMap(write) }, form: form.map(form.expected) { .some(.some($0)) })
    }

    /// At most 64 elements, none of which is omitted.
    func list() -> MemberForm<[Value]> {
        MemberForm<[Value]>(
            write: { $0.isEmpty ? nil : .array($0.compactMap(write)) },
            form: .list(of: form, atMost: 64))
    }
}
