// SPDX-License-Identifier: Apache-2.0
import CBOR

/// Collects the members of one CTAP2 map; what is `nil` is left out.
struct CTAPMapWriter {
    private(set) var entries: [CBOREntry] = []

    var cbor: CBORValue { .map(entries) }
    /// Canonical CBOR, as CTAP 2.2 section 8 requires.
    var encoded: [UInt8] { cbor.encoded(ordering: .ctap2) }

    mutating func set(_ key: MemberKey, _ value: CBORValue?) {
        if let value { entries.append(CBOREntry(key.cbor, value)) }
    }

    mutating func set(_ key: MemberKey, bytes: [UInt8]?) {
        set(key, bytes.map { .bytes($0[...]) })
    }

    mutating func set(_ key: MemberKey, text: String?) { set(key, text.map { .text($0) }) }
    mutating func set(_ key: MemberKey, bool: Bool?) { set(key, bool.map { .bool($0) }) }
    mutating func set(_ key: MemberKey, octet: UInt8?) {
        set(key, octet.map { .unsigned(UInt64($0)) })
    }
    mutating func set(_ key: MemberKey, unsigned: UInt64?) {
        set(key, unsigned.map { .unsigned($0) })
    }
    /// Sets a count. A negative count is written as zero.
    mutating func set(_ key: MemberKey, count: Int?) {
        set(key, count.map { .unsigned(UInt64(max(0, $0))) })
    }
    mutating func set(_ key: MemberKey, texts: [String]?) {
        set(key, texts.map { .array($0.map { .text($0) }) })
    }
}
