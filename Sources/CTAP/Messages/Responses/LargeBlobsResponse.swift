// SPDX-License-Identifier: Apache-2.0

/// The reply to `authenticatorLargeBlobs`: a fragment when one was asked for, else nothing.
package struct LargeBlobsResponse: Sendable, Equatable {
    package var config: [UInt8]?

    package init(config: [UInt8]? = nil) { self.config = config }

    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "largeBlobsResponse", allowsEmpty: true)
        config = try reader.bytes(1, "config")
    }

    /// Canonical CBOR, without the status byte; nothing for an empty reply.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, bytes: config)
        return writer.entries.isEmpty ? [] : writer.encoded
    }
}
