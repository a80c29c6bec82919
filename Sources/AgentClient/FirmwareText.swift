// SPDX-License-Identifier: Apache-2.0

/// What a machine's maker wrote into its firmware. Machines are known by their serial number: of two
/// that say what their maker left there, only the first could register.
enum FirmwareText {
    /// Returns a text of the firmware; `nil` for a placeholder. Only ASCII characters and digits
    /// count.
    static func meant(_ text: String) -> String? {
        let plain = text.lowercased().utf8.filter {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
        }
        // Empty, or one repeated character: 00000000, XXXX.
        guard Set(plain).count > 1 else { return nil }
        return fillings.contains(String(decoding: plain, as: UTF8.self)) ? nil : text
    }

    private static let fillings: Set<String> = [
        "none", "na", "null", "empty", "unknown", "invalid", "oem", "default", "defaultstring",
        "tobefilledbyoem", "notspecified", "notapplicable", "notavailable", "notprovided",
        "serialnumber", "systemserialnumber", "chassisserialnumber", "baseboardserialnumber",
        "productname", "systemproductname", "systemname", "systemmodel", "systemversion",
        "12345678", "123456789", "1234567890", "0123456789",
    ]
}
