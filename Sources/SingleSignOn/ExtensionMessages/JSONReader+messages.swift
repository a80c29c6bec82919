// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

extension JSONReader<ExtensionMessageError> {
    /// Creates a reader of a message. Both ends use the agreed version, so call ``finish()``: an
    /// unknown member is an error.
    init(_ message: JSONObject) {
        self.init(message) { error in
            let code: ExtensionMessageError.Code =
                switch error.reason {
                case .missing: .memberMissing
                case .malformed: .memberMalformed
                case .unknown: .memberUnknown
                }
            return ExtensionMessageError(code, error.description)
        }
    }
}

extension JSONForm<String> {
    static var text: JSONForm { .string(0...4096) }
}

extension JSONForm<Secret> {
    static var secret: JSONForm {
        JSONForm<String>.string(0...16_384).map("a secret") { Secret($0) }
    }
}

extension JSONForm<UInt64> {
    /// The number of a message, a request or a call.
    static var number: JSONForm {
        JSONForm<Int64>.integer.map("a number from 0") { UInt64(exactly: $0) }
    }
}

extension JSONForm<[String]> {
    static func texts(_ limit: Int) -> JSONForm { .list(of: .text, atMost: limit) }
}

extension JSONForm<[[UInt8]]> {
    /// Certificates in DER, the leaf first.
    static var certificates: JSONForm { .list(of: .base64url(1...16_384), atMost: 16) }
}

extension JSONForm<[String: String]> {
    /// Names with their values; each name must be unique, also if names are canonically equivalent.
    static func pairs(_ limit: Int) -> JSONForm {
        JSONForm<JSONObject>.object.map("an object of at most \(limit) short strings") { object in
            guard object.members.count <= limit else { return nil }
            var pairs: [String: String] = [:]
            for member in object.members {
                guard let value = member.value.string, value.utf8.count <= 65_536,
                    member.name.utf8.count <= 4096,
                    pairs.updateValue(value, forKey: member.name) == nil
                else { return nil }
            }
            return pairs
        }
    }
}
