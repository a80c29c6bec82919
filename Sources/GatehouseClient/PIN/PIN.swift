// SPDX-License-Identifier: Apache-2.0
import PIN

/// A PIN while somebody is typing it: decimal digits, overwritten in memory when it was used.
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

    /// How many digits there are. No secret.
    public var length: Int { typed.pin.length }
}

/// What travels from a challenge to the ceremony; the digits are gone with its last holder.
final class TypedPIN: Sendable {
    let pin: DevicePIN

    init(_ pin: consuming DevicePIN) { self.pin = pin }
}
