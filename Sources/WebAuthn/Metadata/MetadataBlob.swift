// SPDX-License-Identifier: Apache-2.0
import JOSE
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
        guard let number = object["no"]?.integer, number >= 0 else { throw Self.fault("no") }
        guard let day = object["nextUpdate"]?.string.flatMap({ Timestamp(day: $0) }) else {
            throw Self.fault("nextUpdate")
        }
        guard let items = object["entries"]?.array, items.count <= Self.maximumEntries else {
            throw Self.fault("entries")
        }
        self.number = number
        nextUpdate = day + .days(1)
        entries = items.compactMap { $0.object.map { MetadataEntry($0) } }
        guard entries.count == items.count else { throw Self.fault("entries") }
    }

    private static func fault(_ member: String) -> MetadataRefusal {
        MetadataRefusal(.payloadMalformed, "\(member) is missing or of another form")
    }

    /// Entries that could not be read completely, for the log.
    package var faults: [MetadataParseError] { entries.compactMap(\.fault) }
}
