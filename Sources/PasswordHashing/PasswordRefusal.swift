// SPDX-License-Identifier: Apache-2.0

/// Why a password may not be used. The raw value is the stable code that pages translate.
package enum PasswordRefusal: String, Error, Sendable, CaseIterable {
    /// Fewer characters than the policy asks for.
    case tooShort = "password_too_short"
    /// More than 1024 bytes.
    case tooLong = "password_too_long"
    /// Holds control characters, which no keyboard can type again.
    case unprintable = "password_unprintable"
    /// One of the passwords that everybody tries first.
    case common = "password_common"
    /// Made of the person's own name, address or the site's name.
    case context = "password_context"
    /// One short piece over and over.
    case repeated = "password_repeated"
    /// A run along the alphabet, the digits or the keyboard, or a date.
    case sequential = "password_sequential"
}
