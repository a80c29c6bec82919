// SPDX-License-Identifier: Apache-2.0

/// A PIN while somebody is typing it: decimal digits, overwritten when this value ends.
///
/// It cannot be copied, printed or encoded, and never leaves the device: it only opens a
/// ``SealedPINSecret``. The digits of other scripts count as the digits they are, so that one PIN
/// typed on two keyboards is one PIN.
package struct DevicePIN: ~Copyable, Sendable {
    /// ASCII digits.
    let digits: WipedBytes

    /// How many digits there are. No secret: an application may show as many fields.
    package let length: Int

    /// - Throws: ``DevicePINPolicyViolation/notDigits`` for anything else. The length is for
    ///   ``DevicePINPolicy`` to judge.
    package init(_ typed: String) throws(DevicePINPolicyViolation) {
        var digits: [UInt8] = []
        // No growth, so no abandoned copy of the first digits.
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
