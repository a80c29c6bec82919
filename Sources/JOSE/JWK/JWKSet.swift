// SPDX-License-Identifier: Apache-2.0

/// A JWK set (RFC 7517 section 5).
///
/// Keys of an unknown kind are ignored, as section 5 requires. The whole set is refused if a known
/// key is malformed or weak, if two share a `kid`, or if public, private and shared keys are mixed:
/// such a set exposes a secret.
package struct JWKSet: Sendable, Equatable {
    package let keys: [JSONWebKey]

    package static let maximumKeys = 64
    package static let maximumBytes = 262_144

    /// - Throws: `keySetRefused`, or the error of the first bad key.
    package init(_ keys: [JSONWebKey]) throws(JOSEError) {
        let identifiers = keys.compactMap(\.parameters.keyID)
        guard Set(identifiers).count == identifiers.count else {
            throw JOSEError(.keySetRefused, "two keys have the same kid")
        }
        guard Set(keys.map(\.kind)).count <= 1 else {
            throw JOSEError(.keySetRefused, "public, private and shared keys are mixed in one set")
        }
        self.keys = keys
    }

    package init(_ object: JSONObject) throws(JOSEError) {
        let reader = JSONReader(object) { JOSEError(.keyMalformed, $0.description) }
        let list = try reader.required("keys", .list(of: .object))
        guard list.count <= Self.maximumKeys else {
            throw JOSEError(.tooLarge, "more than \(Self.maximumKeys) keys")
        }
        var keys: [JSONWebKey] = []
        for entry in list {
            do throws(JOSEError) {
                keys.append(try JSONWebKey(entry))
            } catch  where error.code == .keyUnsupported {
                continue
            }
        }
        try self.init(keys)
    }

    /// Reads JSON text.
    package init(bytes: [UInt8]) throws(JOSEError) {
        try self.init(JSONWebKey.object(bytes, maximumBytes: Self.maximumBytes))
    }

    /// The key of that name.
    package func key(id: String) -> JSONWebKey? {
        keys.first { $0.parameters.keyID?.hasSameBytes(as: id) == true }
    }

    /// The set as published: public halves only, shared keys never.
    package var publicJSON: JSONValue {
        ["keys": .array(keys.compactMap { $0.publicKey?.json })]
    }
}

extension JSONWebKey {
    fileprivate enum Kind { case open, privateHalf, shared }

    fileprivate var kind: Kind {
        switch self {
        case .publicKey: .open
        case .privateKey: .privateHalf
        case .symmetricKey: .shared
        }
    }
}
