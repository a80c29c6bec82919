// SPDX-License-Identifier: Apache-2.0

/// A P-256 key that lives in hardware: what may be known of it.
package struct HardwareKey: Sendable, Equatable {
    /// x and y, 32 bytes each.
    package let point: [UInt8]
    /// By which the hardware finds the key again: for a TPM the key itself, encrypted for it.
    package let handle: [UInt8]

    package init(point: [UInt8], handle: [UInt8]) {
        self.point = point
        self.handle = handle
    }

    /// The form in which it is kept: the point, then the handle.
    var encoded: [UInt8] { point + handle }

    init?(encoded bytes: some Collection<UInt8>) {
        guard bytes.count > 64 else { return nil }
        self.init(point: Array(bytes.prefix(64)), handle: Array(bytes.dropFirst(64)))
    }
}
