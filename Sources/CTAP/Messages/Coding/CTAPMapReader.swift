// SPDX-License-Identifier: Apache-2.0
import CBOR

/// A reader of the members of one CTAP2 map. It ignores unknown members, as CTAP 2.2 section 8
/// requires; a known member has the correct type or the message is refused.
struct CTAPMapReader {
    let entries: [CBOREntry]
    private let name: String

    /// Decodes a map.
    ///
    /// - Parameter allowsEmpty: Whether an empty input is an empty map, as in responses that
    ///   contain only a status.
    init(
        _ bytes: [UInt8], _ name: String, allowsEmpty: Bool = false
    ) throws(CTAPMessageError) {
        if bytes.isEmpty, allowsEmpty {
            try self.init(.map([]), name)
            return
        }
        let value: CBORValue
        do { value = try CBORValue.decode(bytes, profile: .ctap2) } catch { throw .cbor(error) }
        try self.init(value, name)
    }

    init(_ value: CBORValue, _ name: String) throws(CTAPMessageError) {
        guard let entries = value.entries else { throw .unexpectedType(name) }
        self.entries = entries
        self.name = name
    }

    private func path(_ member: String) -> String { "\(name).\(member)" }

    func value(_ key: MemberKey) -> CBORValue? {
        for index in entries.indices where key.names(entries[index].key) {
            return entries[index].value
        }
        return nil
    }

    /// A member that must be there, once its reader has found it or not.
    func required<Value>(_ value: Value?, _ member: String) throws(CTAPMessageError) -> Value {
        guard let value else { throw .missing(path(member)) }
        return value
    }

    private func read<Value>(
        _ key: MemberKey, _ member: String, _ get: (CBORValue) -> Value?
    ) throws(CTAPMessageError) -> Value? {
        guard let found = value(key) else { return nil }
        guard let read = get(found) else { throw .unexpectedType(path(member)) }
        return read
    }

    // MARK: Scalars

    /// - Parameter lengths: How long the byte string may be.
    func bytes(
        _ key: MemberKey, _ member: String, lengths: ClosedRange<Int> = 0...65536
    ) throws(CTAPMessageError) -> [UInt8]? {
        guard let bytes = try read(key, member, { $0.byteString.map { Array($0) } }) else {
            return nil
        }
        guard lengths ~= bytes.count else { throw .outOfRange(path(member)) }
        return bytes
    }

    func text(_ key: MemberKey, _ member: String) throws(CTAPMessageError) -> String? {
        try read(key, member, \.textString)
    }

    func bool(_ key: MemberKey, _ member: String) throws(CTAPMessageError) -> Bool? {
        try read(key, member, \.bool)
    }

    /// A number without a sign, of at most 64 bits.
    func unsigned(_ key: MemberKey, _ member: String) throws(CTAPMessageError) -> UInt64? {
        try read(key, member, \.unsigned)
    }

    /// A number small enough to count with.
    func count(
        _ key: MemberKey, _ member: String, in range: ClosedRange<Int> = 0...Int(Int32.max)
    ) throws(CTAPMessageError) -> Int? {
        guard let number = try unsigned(key, member) else { return nil }
        guard let count = Int(exactly: number), range ~= count else {
            throw .outOfRange(path(member))
        }
        return count
    }

    /// A number that fits a byte: subcommands, protocol versions, bit sets.
    func octet(_ key: MemberKey, _ member: String) throws(CTAPMessageError) -> UInt8? {
        guard let number = try unsigned(key, member) else { return nil }
        guard let octet = UInt8(exactly: number) else { throw .outOfRange(path(member)) }
        return octet
    }

    /// One of the subcommands that `Subcommand` lists.
    func subcommand<Subcommand: RawRepresentable<UInt8>>(
        _ key: MemberKey
    ) throws(CTAPMessageError) -> Subcommand? {
        guard let number = try unsigned(key, "subCommand") else { return nil }
        guard let subcommand = UInt8(exactly: number).flatMap(Subcommand.init(rawValue:)) else {
            throw .unknownSubcommand(number)
        }
        return subcommand
    }

    // MARK: Arrays and maps

    /// Each item, made by `make`, which may refuse it.
    func list<Value>(
        _ key: MemberKey, _ member: String,
        _ make: (CBORValue) throws(CTAPMessageError) -> Value
    ) throws(CTAPMessageError) -> [Value]? {
        guard let items = try read(key, member, \.items) else { return nil }
        var list: [Value] = []
        for item in items { list.append(try make(item)) }
        return list
    }

    func texts(_ key: MemberKey, _ member: String) throws(CTAPMessageError) -> [String]? {
        try list(key, member) { item throws(CTAPMessageError) in
            guard let text = item.textString else { throw .unexpectedType(path(member)) }
            return text
        }
    }

    func numbers(_ key: MemberKey, _ member: String) throws(CTAPMessageError) -> [UInt64]? {
        try list(key, member) { item throws(CTAPMessageError) in
            guard let number = item.unsigned else { throw .unexpectedType(path(member)) }
            return number
        }
    }

    /// A nested map with its own reader.
    func map(_ key: MemberKey, _ member: String) throws(CTAPMessageError) -> CTAPMapReader? {
        guard let found = value(key) else { return nil }
        return try CTAPMapReader(found, path(member))
    }

    /// A map from text to whatever `get` reads.
    func dictionary<Value>(
        _ key: MemberKey, _ member: String, _ get: (CBORValue) -> Value?
    ) throws(CTAPMessageError) -> [String: Value]? {
        guard let reader = try map(key, member) else { return nil }
        var dictionary: [String: Value] = [:]
        for entry in reader.entries {
            guard let name = entry.key.textString, let value = get(entry.value) else {
                throw .unexpectedType(path(member))
            }
            dictionary[name] = value
        }
        return dictionary
    }
}

extension CBORValue {
    /// The truth value, when this is one.
    var bool: Bool? {
        switch self {
        case .simple(20): false
        case .simple(21): true
        default: nil
        }
    }

    /// The number, when this is one without a sign.
    var unsigned: UInt64? {
        if case .unsigned(let number) = self { number } else { nil }
    }
}
