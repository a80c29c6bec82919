// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// A metadata BLOB whose signature was right: `MetadataBLOBPayload` (FIDO Metadata Service 3.1.1
/// section 3.1.6). Only ``MetadataBlobVerifier`` can make one.
package struct MetadataBlob: Sendable {
    /// `no`: rises with every BLOB.
    package let number: Int64
    /// The end of the day (UTC) on which the next one is due at the latest.
    package let nextUpdate: Timestamp
    package let entries: [MetadataEntry]

    /// The maximum nesting depth of containers.
    static let maximumDepth = 24
    static let maximumEntries = 20_000

    /// - Parameter payload: Its signature has been verified.
    init(payload: [UInt8]) throws(MetadataRefusal) {
        let object: JSONObject
        do {
            object = try JSONParser.parseObject(
                payload, maximumBytes: MetadataBlobVerifier.maximumBytes,
                maximumDepth: Self.maximumDepth, wideIntegers: true)
        } catch { throw MetadataRefusal(.payloadMalformed, error.code) }
        let reader = JSONReader(object) { MetadataRefusal(.payloadMalformed, $0.description) }
        number = try reader.required("no", .integer(0...Int64.max))
        nextUpdate = try reader.required("nextUpdate", .day) + .days(1)
        entries = try reader.required("entries", .list(of: .object, atMost: Self.maximumEntries))
            .map { MetadataEntry($0) }
    }

    /// Entries that could not be read completely, for the log.
    package var faults: [JSONMemberError] { entries.compactMap(\.fault) }
}
