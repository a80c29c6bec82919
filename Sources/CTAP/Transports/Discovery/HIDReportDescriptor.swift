// SPDX-License-Identifier: Apache-2.0

/// Looks into a HID report descriptor (HID 1.11 section 6.2.2) for the usage page of FIDO.
package enum HIDReportDescriptor {
    /// Usage page F1D0 (CTAP 2.2 section 11.2.8.1).
    package static let usagePage: UInt32 = 0xF1D0

    /// Whether the device is a security key. A descriptor that ends inside an item is none.
    package static func isFIDO(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let prefix = rest.popFirst() {
            if prefix == 0xFE {
                // A long item: its size, its tag, its data.
                guard let size = rest.popFirst(), rest.count > Int(size) else { return false }
                rest = rest.dropFirst(Int(size) + 1)
                continue
            }
            let size = prefix & 3 == 3 ? 4 : Int(prefix & 3)
            guard rest.count >= size else { return false }
            let value = rest.prefix(size).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            if prefix & 0xFC == 0x04, value == usagePage { return true }
            rest = rest.dropFirst(size)
        }
        return false
    }
}
