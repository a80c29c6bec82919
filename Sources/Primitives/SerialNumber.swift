// SPDX-License-Identifier: Apache-2.0

/// Serial numbers of machines.
package enum SerialNumber {
    /// As it is compared: without spaces, in capitals. Systems, device management and people write the same one
    /// in different ways.
    package static func compared(_ serial: String) -> String {
        let letters = serial.utf8.filter { $0 != UInt8(ascii: " ") }
            .map { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 ? $0 & ~0x20 : $0 }
        return String(decoding: letters, as: UTF8.self)
    }
}
