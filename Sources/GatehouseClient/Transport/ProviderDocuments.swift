// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives
import UserClient

/// The provider's metadata, named endpoints and keys. Stored, so that an app can start without a
/// network.
struct ProviderDocuments: Sendable {
    var metadata: JSONObject
    var addresses: JSONObject
    var keys: JSONObject
    var fetchedAt: Timestamp
    let directory: ProviderEndpoints
    let keySet: JWKSet

    static func record(_ issuer: String) -> RecordName {
        RecordName("provider", ofIssuer: issuer)
    }
    /// The record of older stores, which had one for all providers: that of the last writer.
    static let sharedRecord = RecordName("provider")

    /// - Throws: An error if they violate the specifications.
    init(
        metadata: JSONObject, addresses: JSONObject, keys: JSONObject, fetchedAt: Timestamp,
        issuer: String
    ) throws {
        self.metadata = metadata
        self.addresses = addresses
        self.keys = keys
        self.fetchedAt = fetchedAt
        directory = try ProviderEndpoints(metadata: metadata, issuer: issuer)
        keySet = try JWKSet(keys)
    }

    /// Returns the URL of that name in `/.well-known/gatehouse`; `nil` if there is none, or it
    /// belongs to another host.
    func address(_ name: String, among group: String = "registration") -> String? {
        guard let url = addresses[group]?[name]?.string,
            url.hasPrefix(directory.issuer + "/"), ProviderEndpoints.isProtected(url)
        else { return nil }
        return url
    }

    /// The registration methods that the project offers; `nil` if the provider does not list them.
    var registrationMethods: [String]? { addresses["registration"]?["methods"]?.strings }

    /// Whether tokens can be bound to a key (RFC 9449 section 5.1).
    var supportsDPoP: Bool {
        metadata["dpop_signing_alg_values_supported"]?.strings?.contains("ES256") ?? false
    }

    var json: [UInt8] {
        var writer = JSONWriter(capacity: 8192)
        writer.member("format", 1)
        writer.member("fetched_at", fetchedAt.milliseconds)
        writer.member("metadata", .object(metadata))
        writer.member("addresses", .object(addresses))
        writer.member("keys", .object(keys))
        return writer.finish()
    }

    /// `nil` for what cannot be used; it is fetched again then.
    init?(json bytes: [UInt8], issuer: String) {
        guard let object = try? JSONParser.parseObject(bytes, maximumBytes: 1_048_576),
            object["format"]?.integer == 1, let metadata = object["metadata"]?.object,
            let addresses = object["addresses"]?.object, let keys = object["keys"]?.object,
            let fetchedAt = object["fetched_at"]?.integer
        else { return nil }
        try? self.init(
            metadata: metadata, addresses: addresses, keys: keys,
            fetchedAt: Timestamp(milliseconds: fetchedAt), issuer: issuer)
    }
}

extension RecordName {
    /// Creates the name of a record for each provider. An issuer is a URL and cannot be a name
    /// itself.
    init(_ kind: StaticString, ofIssuer issuer: String) {
        let digest = SHA256.hash(data: Array(issuer.utf8))
        self.init(kind, Hexadecimal.encode(digest.prefix(8)))
    }
}
