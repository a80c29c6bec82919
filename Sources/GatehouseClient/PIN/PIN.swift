// SPDX-License-Identifier: Apache-2.0
import PIN

/// A PIN that a person has entered: decimal digits, overwritten in memory after use.
///
/// It cannot be copied, printed or encoded. It never leaves the device and is stored nowhere: it
/// only opens what the provider gave this device, and the provider alone can tell whether it was
/// right (`docs/protocols/pin.md`). Do not keep the text that a keyboard gave you.
public struct PIN: ~Copyable, Sendable {
    let typed: TypedPIN

    /// - Throws: ``IdentityError/Code/pinNotDigits`` for anything but decimal digits.
    public init(_ typed: String) throws(IdentityError) {
        do {
            self.typed = try TypedPIN(DevicePIN(typed))
        } catch {
            throw PINPolicy.error(error)
        }
    }

    /// The number of digits. Not a secret.
    public var length: Int { typed.pin.length }
}

/// A PIN on its way from a challenge to the ceremony. The digits are overwritten when it is
/// released.
final class TypedPIN: Sendable {
    let pin: DevicePIN

    init(_ pin: consuming DevicePIN) { self.pin = pin }
}
