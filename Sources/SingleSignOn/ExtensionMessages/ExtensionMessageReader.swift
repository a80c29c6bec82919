// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A reader of a message's members that rejects unknown ones at the end: both ends use the agreed
/// version, so an unknown member is an error.
struct ExtensionMessageReader {
    private var rest: JSONObject

    init(_ object: JSONObject) { rest = object }

    // MARK: Members that must be there

    mutating func text(
        _ name: String, maximum: Int = 4096
    ) throws(ExtensionMessageError) -> String {
        guard let text = try optionalText(name, maximum: maximum) else { throw missing(name) }
        return text
    }

    mutating func flag(_ name: String) throws(ExtensionMessageError) -> Bool {
        guard let value = take(name) else { throw missing(name) }
        guard let flag = value.bool else { throw malformed(name) }
        return flag
    }

    mutating func integer(
        _ name: String, in range: ClosedRange<Int64>
    ) throws(ExtensionMessageError) -> Int64 {
        guard let value = take(name) else { throw missing(name) }
        guard let number = value.integer, range ~= number else { throw malformed(name) }
        return number
    }

    /// The number of a message, a request or a call.
    mutating func number(_ name: String) throws(ExtensionMessageError) -> UInt64 {
        UInt64(try integer(name, in: 0...Int64.max))
    }

    mutating func bytes(_ name: String, maximum: Int) throws(ExtensionMessageError) -> [UInt8] {
        guard let bytes = try optionalBytes(name, maximum: maximum) else { throw missing(name) }
        return bytes
    }

    mutating func object(_ name: String) throws(ExtensionMessageError) -> JSONObject {
        guard let object = try optionalObject(name) else { throw missing(name) }
        return object
    }

    mutating func texts(_ name: String, maximum: Int) throws(ExtensionMessageError) -> [String] {
        guard let value = take(name) else { throw missing(name) }
        guard let texts = value.strings, texts.count <= maximum,
            texts.allSatisfy({ $0.utf8.count <= 4096 })
        else { throw malformed(name) }
        return texts
    }

    /// Returns one of the defined values.
    mutating func choice<Choice: RawRepresentable<String>>(
        _ name: String, _: Choice.Type = Choice.self
    ) throws(ExtensionMessageError) -> Choice {
        guard let choice = Choice(rawValue: try text(name)) else { throw malformed(name) }
        return choice
    }

    mutating func choice<Choice: RawRepresentable<Int>>(
        _ name: String, _: Choice.Type = Choice.self
    ) throws(ExtensionMessageError) -> Choice {
        let number = Int(try integer(name, in: 0...255))
        guard let choice = Choice(rawValue: number) else { throw malformed(name) }
        return choice
    }

    mutating func key(_ name: String) throws(ExtensionMessageError) -> PublicJWK {
        guard let key = try optionalKey(name) else { throw missing(name) }
        return key
    }

    /// Certificates in DER, the leaf first.
    mutating func certificates(_ name: String) throws(ExtensionMessageError) -> [[UInt8]] {
        guard let value = take(name) else { throw missing(name) }
        let decoded = value.strings?.map { Base64URL.decode($0) }
        guard let decoded, decoded.count <= 16 else { throw malformed(name) }
        let certificates = decoded.compactMap(\.self)
        guard certificates.count == decoded.count,
            certificates.allSatisfy({ 1...16_384 ~= $0.count })
        else { throw malformed(name) }
        return certificates
    }

    /// Returns names with their values; each name must be unique.
    mutating func pairs(
        _ name: String, maximum: Int
    ) throws(ExtensionMessageError) -> [String: String] {
        let members = try object(name).members
        guard members.count <= maximum else { throw malformed(name) }
        var pairs: [String: String] = [:]
        for member in members {
            guard let value = member.value.string, value.utf8.count <= 65_536,
                member.name.utf8.count <= 4096, pairs.updateValue(value, forKey: member.name) == nil
            else { throw malformed(name) }
        }
        return pairs
    }

    // MARK: Members that may be missing

    mutating func optionalText(
        _ name: String, maximum: Int = 4096
    ) throws(ExtensionMessageError) -> String? {
        guard let value = take(name) else { return nil }
        guard let text = value.string, text.utf8.count <= maximum else { throw malformed(name) }
        return text
    }

    mutating func optionalSecret(_ name: String) throws(ExtensionMessageError) -> Secret? {
        try optionalText(name, maximum: 16_384).map { Secret($0) }
    }

    mutating func optionalBytes(
        _ name: String, maximum: Int
    ) throws(ExtensionMessageError) -> [UInt8]? {
        guard let value = take(name) else { return nil }
        guard let text = value.string, text.utf8.count <= maximum / 3 * 4 + 4,
            let bytes = Base64URL.decode(text), bytes.count <= maximum
        else { throw malformed(name) }
        return bytes
    }

    mutating func optionalObject(_ name: String) throws(ExtensionMessageError) -> JSONObject? {
        guard let value = take(name) else { return nil }
        guard let object = value.object else { throw malformed(name) }
        return object
    }

    mutating func optionalKey(_ name: String) throws(ExtensionMessageError) -> PublicJWK? {
        guard let object = try optionalObject(name) else { return nil }
        guard case .publicKey(let key)? = try? JSONWebKey(object) else { throw malformed(name) }
        return key
    }

    // MARK: The end

    func finish() throws(ExtensionMessageError) {
        if let name = rest.names.first {
            throw ExtensionMessageError(.memberUnknown, String(name.prefix(64)))
        }
    }

    private mutating func take(_ name: String) -> JSONValue? {
        defer { rest[name] = nil }
        return rest[name]
    }

    private func missing(_ name: String) -> ExtensionMessageError {
        ExtensionMessageError(.memberMissing, name)
    }

    private func malformed(_ name: String) -> ExtensionMessageError {
        ExtensionMessageError(.memberMalformed, name)
    }
}
