// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Settings that are stored as JSON. A key that is absent or null in a stored text has the value of
/// `init()`, so rows of older versions gain new settings.
package protocol StoredSettings: Codable, Sendable {
    init()
}

/// Settings as they are decoded, with the values of `init()` for absent keys.
package struct WithDefaults<Settings: StoredSettings>: Decodable {
    package let settings: Settings

    package init(from decoder: any Decoder) throws {
        settings = try Settings(from: DefaultingDecoder<Settings>(stored: decoder))
    }
}

/// Settings within settings. The synthesized `init(from:)` calls these functions.
extension KeyedDecodingContainer {
    func decode<Part: StoredSettings>(_ type: Part.Type, forKey key: Key) throws -> Part {
        try decode(WithDefaults<Part>.self, forKey: key).settings
    }

    func decode<Part: StoredSettings>(_ type: [Part].Type, forKey key: Key) throws -> [Part] {
        try decode([WithDefaults<Part>].self, forKey: key).map(\.settings)
    }
}

private struct DefaultingDecoder<Settings: StoredSettings>: Decoder {
    let stored: any Decoder
    private let defaults = DefaultValues<Settings>()

    init(stored: any Decoder) { self.stored = stored }

    var codingPath: [any CodingKey] { stored.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { stored.userInfo }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let container = try stored.container(keyedBy: type)
        return KeyedDecodingContainer(
            DefaultingContainer<Settings, Key>(stored: container, defaults: defaults))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try stored.unkeyedContainer()
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try stored.singleValueContainer()
    }
}

private struct DefaultingContainer<Settings: StoredSettings, Key: CodingKey>:
    KeyedDecodingContainerProtocol
{
    let stored: KeyedDecodingContainer<Key>
    let defaults: DefaultValues<Settings>

    var codingPath: [any CodingKey] { stored.codingPath }
    var allKeys: [Key] { stored.allKeys }

    func contains(_ key: Key) -> Bool { stored.contains(key) }
    func decodeNil(forKey key: Key) throws -> Bool { try stored.decodeNil(forKey: key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let isStored = try stored.contains(key) && !stored.decodeNil(forKey: key)
        return try (isStored ? stored : defaults.container()).decode(type, forKey: key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try stored.nestedContainer(keyedBy: type, forKey: key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try stored.nestedUnkeyedContainer(forKey: key)
    }

    func superDecoder() throws -> any Decoder { try stored.superDecoder() }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        try stored.superDecoder(forKey: key)
    }
}

/// The values of `init()`, encoded once for a stored text.
private final class DefaultValues<Settings: StoredSettings> {
    private var decoder: (any Decoder)?

    func container<Key: CodingKey>() throws -> KeyedDecodingContainer<Key> {
        let decoder =
            try decoder
            ?? JSONDecoder().decode(CapturedDecoder.self, from: JSONEncoder().encode(Settings()))
            .decoder
        self.decoder = decoder
        return try decoder.container(keyedBy: Key.self)
    }
}

private struct CapturedDecoder: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) { self.decoder = decoder }
}
