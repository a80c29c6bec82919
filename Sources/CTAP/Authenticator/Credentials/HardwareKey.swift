// SPDX-License-Identifier: Apache-2.0

/// The exported part of a P-256 key in hardware.
package struct HardwareKey: Sendable, Equatable {
    /// x and y, 32 bytes each.
    package let point: [UInt8]
    /// The data by which the hardware finds the key: for a TPM the key itself, encrypted for it.
    package let handle: [UInt8]

    package init(point: [UInt8], handle: [UInt8]) {
        self.point = point
        self.handle = handle
    }

    /// The stored form: the point, then the handle.
    var encoded: [UInt8] { point + handle }

    init?(encoded bytes: some Collection<UInt8>) {
        guard bytes.count > 64 else { return nil }
        self.init(point: Array(bytes.prefix(64)), handle: Array(bytes.dropFirst(64)))
    }
}
