// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A form that a JSON value must have, and its Swift value.
package struct JSONForm<Value> {
    /// What is right, for an error: `a string of 1 to 64 bytes`.
    package var expected: String { describe() }
    private let describe: () -> String
    /// Returns `nil` if the value does not have the form.
    package let read: (JSONValue) -> Value?

    package init(
        _ expected: @autoclosure @escaping () -> String,
        _ read: @escaping (JSONValue) -> Value?
    ) {
        describe = expected
        self.read = read
    }

    /// Returns a form for the values for which `transform` returns one.
    package func map<Other>(
        _ expected: @autoclosure @escaping () -> String,
        _ transform: @escaping (Value) -> Other?
    ) -> JSONForm<Other> {
        JSONForm<Other>(expected()) { read($0).flatMap(transform) }
    }
}

extension JSONForm where Value == JSONValue {
    package static var value: JSONForm { JSONForm("a value") { $0 } }
}

extension JSONForm where Value == String {
    package static var string: JSONForm { JSONForm("a string") { $0.string } }

    /// A string with that number of UTF-8 bytes.
    package static func string(_ bytes: ClosedRange<Int>) -> JSONForm {
        string.map("a string of \(bytes.spoken) bytes") { bytes ~= $0.utf8.count ? $0 : nil }
    }
}

extension JSONForm where Value == Bool {
    package static var bool: JSONForm { JSONForm("true or false") { $0.bool } }
}

extension JSONForm where Value == Int64 {
    package static var integer: JSONForm { JSONForm("a whole number") { $0.integer } }

    package static func integer(_ range: ClosedRange<Int64>) -> JSONForm {
        integer.map("a whole number from \(range.lowerBound) to \(range.upperBound)") {
            range ~= $0 ? $0 : nil
        }
    }
}

extension JSONForm where Value == Timestamp {
    /// Milliseconds since 1970.
    package static var milliseconds: JSONForm<Timestamp> {
        JSONForm<Int64>.integer.map("a number of milliseconds since 1970") {
            Timestamp(milliseconds: $0)
        }
    }

    /// Seconds since 1970 (RFC 7519 section 2).
    package static var numericDate: JSONForm<Timestamp> {
        JSONForm("a number of seconds since 1970") { Timestamp(numericDate: $0) }
    }

    /// A date of RFC 3339.
    package static var date: JSONForm<Timestamp> {
        JSONForm<String>.string.map("a date of RFC 3339") { Timestamp(rfc3339: $0) }
    }
}

extension JSONForm where Value == TimeSpan {
    package static var milliseconds: JSONForm<TimeSpan> {
        JSONForm<Int64>.integer.map("a number of milliseconds") { TimeSpan(milliseconds: $0) }
    }
}

extension JSONForm where Value == [UInt8] {
    /// Base64 of RFC 4648 section 4, as in `x5c`.
    package static var base64: JSONForm {
        JSONForm<String>.string.map("a base64 string") { Base64.decode($0) }
    }

    package static var base64url: JSONForm {
        JSONForm<String>.string.map("a base64url string") { Base64URL.decode($0) }
    }

    /// At most that number of bytes. A longer string is not decoded.
    package static func base64url(_ bytes: ClosedRange<Int>) -> JSONForm {
        JSONForm<String>.string.map("a base64url string of \(bytes.spoken) bytes") { text in
            guard text.utf8.count <= bytes.upperBound / 3 * 4 + 4 else { return nil }
            return Base64URL.decode(text).flatMap { bytes ~= $0.count ? $0 : nil }
        }
    }
}

extension JSONForm where Value == JSONObject {
    package static var object: JSONForm { JSONForm("an object") { $0.object } }
}

extension JSONForm where Value == [JSONValue] {
    package static var array: JSONForm { JSONForm("an array") { $0.array } }
}

extension JSONForm where Value == [String] {
    package static var strings: JSONForm { JSONForm("an array of strings") { $0.strings } }

    /// `aud` (RFC 7519 section 4.1.3): one string, or an array with that number of strings.
    package static func audience(_ count: ClosedRange<Int>) -> JSONForm {
        JSONForm("a string, or an array of \(count.spoken) strings") { value in
            value.string.map { [$0] } ?? value.strings.flatMap { count ~= $0.count ? $0 : nil }
        }
    }
}

extension JSONForm {
    /// An array whose elements all have the form.
    package static func list<Element>(
        of element: JSONForm<Element>, atMost limit: Int = .max
    ) -> JSONForm where Value == [Element] {
        JSONForm("an array\(limit == .max ? "" : " of at most \(limit)"), each \(element.expected)")
        {
            value in
            guard let items = value.array, items.count <= limit else { return nil }
            let elements = items.compactMap(element.read)
            return elements.count == items.count ? elements : nil
        }
    }
}

extension JSONForm where Value: RawRepresentable<String> {
    /// One of the defined values.
    package static var choice: JSONForm {
        JSONForm<String>.string.map("a known value") { Value(rawValue: $0) }
    }
}

extension JSONForm where Value: RawRepresentable<String> & CaseIterable {
    /// One of the defined values.
    package static var choice: JSONForm {
        JSONForm<String>.string.map(
            "one of \(Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))"
        ) { Value(rawValue: $0) }
    }
}

extension JSONForm where Value: RawRepresentable<Int> {
    /// One of the defined values.
    package static var choice: JSONForm {
        JSONForm<Int64>.integer.map("a known number") { number in
            Int(exactly: number).flatMap { Value(rawValue: $0) }
        }
    }
}

extension JSONForm where Value == PublicJWK {
    /// A public key as a JWK.
    package static var publicKey: JSONForm {
        JSONForm<JSONObject>.object.map("a public key as a JWK") { object in
            if case .publicKey(let key)? = try? JSONWebKey(object) { key } else { nil }
        }
    }
}

extension ClosedRange<Int> {
    fileprivate var spoken: String {
        lowerBound == 0 ? "at most \(upperBound)" : "\(lowerBound) to \(upperBound)"
    }
}
