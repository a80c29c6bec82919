// SPDX-License-Identifier: Apache-2.0

/// A PIN during its entry: decimal digits, overwritten when this value ends.
///
/// It cannot be copied, printed or encoded, and never leaves the device: it only opens a
/// ``SealedPINSecret``. Digits of other scripts are converted, so that one PIN entered on two
/// keyboards is the same PIN.
package struct DevicePIN: ~Copyable, Sendable {
    /// ASCII digits.
    let digits: WipedBytes

    /// The number of digits. It is not secret: an application may display as many fields.
    package let length: Int

    /// - Throws: ``DevicePINPolicyViolation/notDigits`` for other characters. ``DevicePINPolicy`` validates the
    ///   length.
    package init(_ typed: String) throws(DevicePINPolicyViolation) {
        var digits: [UInt8] = []
        // The capacity prevents growth, which would leave a copy of the first digits.
        digits.reserveCapacity(typed.unicodeScalars.count)
        for scalar in typed.unicodeScalars {
            guard scalar.properties.numericType == .decimal,
                let value = scalar.properties.numericValue.flatMap(UInt8.init(exactly:))
            else {
                WipedBytes.wipe(&digits)
                throw .notDigits
            }
            digits.append(UInt8(ascii: "0") + value)
        }
        length = digits.count
        self.digits = WipedBytes(digits)
    }
}
