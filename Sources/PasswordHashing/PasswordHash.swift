// SPDX-License-Identifier: Apache-2.0
import Primitives

/// An Argon2id hash in the PHC string format:
/// `$argon2id$v=19$m=19456,t=2,p=1$SALT$TAG`, salt and tag in base64 without padding.
///
/// One value has one spelling: parameters in this order, no leading zeros, no further fields.
package struct PasswordHash: Sendable, Equatable {
    package let parameters: Argon2Parameters
    package let salt: [UInt8]
    package let tag: [UInt8]

    package init(parameters: Argon2Parameters, salt: [UInt8], tag: [UInt8]) {
        self.parameters = parameters
        self.salt = salt
        self.tag = tag
    }

    /// Longest text that is looked at, in bytes.
    static let greatestLength = 256

    /// Reads a stored hash. Salts of 8 to 64 bytes and tags of 16 to 64 bytes are accepted.
    package init(phc: String) throws(PasswordHashingError) {
        guard phc.utf8.count <= Self.greatestLength else { throw .malformedHash }
        let fields = phc.utf8.split(
            separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0].isEmpty, fields[1].elementsEqual("argon2id".utf8),
            fields[2].elementsEqual("v=19".utf8),
            let parameters = Self.parameters(fields[3]),
            let salt = Self.decode(fields[4]), (8...64).contains(salt.count),
            let tag = Self.decode(fields[5]), (16...64).contains(tag.count)
        else { throw .malformedHash }
        guard parameters.isReasonable else { throw .unreasonableParameters }
        self.init(parameters: parameters, salt: salt, tag: tag)
    }

    /// The text to store.
    package var phc: String {
        let costs = "m=\(parameters.memory),t=\(parameters.iterations),p=\(parameters.lanes)"
        return "$argon2id$v=19$\(costs)$\(Self.encode(salt))$\(Self.encode(tag))"
    }

    private static func parameters(_ field: Substring.UTF8View) -> Argon2Parameters? {
        let parts = field.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 3, let memory = number(parts[0], named: "m"),
            let iterations = number(parts[1], named: "t"), let lanes = number(parts[2], named: "p")
        else { return nil }
        return Argon2Parameters(memory: memory, iterations: iterations, lanes: lanes)
    }

    /// `name=digits`: one to ten digits, the first of them not zero, and within 32 bits.
    private static func number(_ part: Substring.UTF8View, named name: String) -> UInt32? {
        guard part.starts(with: "\(name)=".utf8) else { return nil }
        let digits = part.dropFirst(name.utf8.count + 1)
        guard (1...10).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + UInt64(digit - UInt8(ascii: "0"))
        }
        return UInt32(exactly: value)
    }

    // The PHC alphabet differs from Base64url in its last two characters only.
    private static func decode(_ field: Substring.UTF8View) -> [UInt8]? {
        guard !field.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else {
            return nil
        }
        return Base64URL.decode(
            bytes: field.map { letter in
                switch letter {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: letter
                }
            })
    }

    private static func encode(_ bytes: [UInt8]) -> String {
        let letters = Base64URL.encodeBytes(bytes).map { letter in
            switch letter {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: letter
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
