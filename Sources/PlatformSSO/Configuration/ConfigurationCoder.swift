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
    let read: (JSONValue) -> Value?
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

/// A reader of every member that reports unknown ones.
struct ConfigurationReader: ConfigurationCoder {
    private var rest: JSONObject

    init(_ object: JSONObject) { rest = object }

    mutating func visit<Value>(
        _ name: String, _ value: inout Value, _ form: MemberForm<Value>
    ) throws(PlatformSSORefusal) {
        guard let member = rest[name] else { return }
        rest[name] = nil
        guard let read = form.read(member) else {
            throw PlatformSSORefusal(.claimMalformed, "\(name) of a configuration")
        }
        value = read
    }

    mutating func required(_ name: String) throws(PlatformSSORefusal) -> String {
        var text = ""
        try visit(name, &text, .text)
        guard !text.isEmpty else {
            throw PlatformSSORefusal(.claimMissing, "\(name) of a configuration")
        }
        return text
    }

    func finish() throws(PlatformSSORefusal) {
        if let name = rest.names.first {
            throw PlatformSSORefusal(
                .claimMalformed, "a configuration has no \(name.prefix(64))")
        }
    }
}

// MARK: Forms

extension MemberForm where Value == String {
    /// At most 8192 bytes.
    static var text: MemberForm {
        MemberForm(
            write: { .string($0) },
            read: { value in value.string.flatMap { $0.utf8.count <= 8192 ? $0 : nil } })
    }
}

extension MemberForm where Value == Bool {
    static var flag: MemberForm { MemberForm(write: { .bool($0) }, read: \.bool) }
}

extension MemberForm where Value == [UInt8] {
    /// At most 64 KiB, in base64url.
    static var bytes: MemberForm {
        MemberForm(
            write: { .string(Base64URL.encode($0)) },
            read: { value in
                value.string.flatMap { $0.utf8.count <= 87_384 ? Base64URL.decode($0) : nil }
            })
    }
}

extension MemberForm where Value == Secret {
    static var secret: MemberForm {
        MemberForm(
            write: { MemberForm<[UInt8]>.bytes.write($0.reveal()) },
            read: { MemberForm<[UInt8]>.bytes.read($0).map { Secret($0) } })
    }
}

extension MemberForm where Value == PublicJWK {
    static var key: MemberForm {
        MemberForm(
            write: { $0.json },
            read: { value in
                guard let object = value.object,
                    case .publicKey(let key)? = try? JSONWebKey(object)
                else { return nil }
                return key
            })
    }
}

extension MemberForm where Value == ResponsePredicate {
    static var predicate: MemberForm {
        MemberForm(
            write: { .string($0.text) },
            read: { value in value.string.flatMap { try? ResponsePredicate($0) } })
    }
}

extension MemberForm where Value == FormField {
    static var field: MemberForm {
        MemberForm(
            write: { [.string($0.name), .string($0.value)] },
            read: { value in
                guard let pair = value.strings, pair.count == 2 else { return nil }
                return FormField(pair[0], pair[1])
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
            read: { value in
                guard let object = value.object, object.members.count == 2,
                    let header = object["header"]?.object, let body = object["body"]?.object
                else { return nil }
                return CustomClaims(header: header, body: body)
            })
    }
}

extension MemberForm where Value: RawRepresentable<String> {
    static var choice: MemberForm {
        MemberForm(
            write: { .string($0.rawValue) }, read: { $0.string.flatMap { Value(rawValue: $0) } })
    }
}

extension MemberForm where Value == BiometricPolicy {
    static var policy: MemberForm {
        MemberForm(
            write: { .integer(Int64($0.rawValue)) },
            read: { value in
                guard let bits = value.integer, 0...15 ~= bits else { return nil }
                return BiometricPolicy(rawValue: UInt(bits))
            })
    }
}

extension MemberForm {
    /// An optional member.
    func optional() -> MemberForm<Value?> {
        MemberForm<Value?>(
            write: { $0.flatMap(write) }, read: { value in read(value).map(Optional.some) })
    }

    /// At most 64 elements, none of which is omitted.
    func list() -> MemberForm<[Value]> {
        MemberForm<[Value]>(
            write: { $0.isEmpty ? nil : .array($0.compactMap(write)) },
            read: { value in
                guard let elements = value.array, elements.count <= 64 else { return nil }
                let values = elements.compactMap(read)
                return values.count == elements.count ? values : nil
            })
    }
}
