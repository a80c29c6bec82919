// SPDX-License-Identifier: Apache-2.0

/// The reason why a password is refused. The raw value is the stable code that pages translate.
package enum PasswordRefusal: String, Error, Sendable, CaseIterable {
    /// Fewer characters than the policy requires.
    case tooShort = "password_too_short"
    /// More than 1024 bytes.
    case tooLong = "password_too_long"
    /// Contains control characters, which a keyboard cannot enter again.
    case unprintable = "password_unprintable"
    /// One of the most common passwords.
    case common = "password_common"
    /// Made of the person's own name, address or the site's name.
    case context = "password_context"
    /// One short piece over and over.
    case repeated = "password_repeated"
    /// A run along the alphabet, the digits or the keyboard, or a date.
    case sequential = "password_sequential"
}
