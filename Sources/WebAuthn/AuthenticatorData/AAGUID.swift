// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The model identifier of an authenticator (section 6.5.1): 16 bytes, all zero if it states none.
package struct AAGUID: Sendable, Hashable, CustomStringConvertible {
    package let bytes: [UInt8]

    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads the usual form with hyphens, in lower or upper case.
    package init?(_ text: String) {
        guard let bytes = UUIDText.decode(text) else { return nil }
        self.init(bytes)
    }

    package var isZero: Bool { bytes.allSatisfy { $0 == 0 } }

    /// The usual form, `ee882879-721c-4913-9775-3dfcce97072a`.
    package var description: String { UUIDText.encode(bytes) }
}
