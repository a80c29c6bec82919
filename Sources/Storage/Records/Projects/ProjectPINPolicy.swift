// SPDX-License-Identifier: Apache-2.0

/// A project's policy for PINs of app installations. Devices apply the rules about digits, because
/// a PIN never leaves its device. The provider counts attempts.
package struct ProjectPINPolicy: StoredSettings, Equatable {
    /// `off`, `optional` or `required`: whether installations register with a PIN.
    package var use = "optional"
    /// Exact number of digits.
    package var length: Int64 = 5
    /// The maximum number of consecutive occurrences of a digit.
    package var maximumRepeats: Int64 = 2
    package var allowsSequences = false
    /// The forbidden PINs.
    package var blocked: [String] = []
    /// The maximum number of consecutive wrong PINs; the last one locks.
    package var attempts: Int64 = 5
    /// The scopes of an installation with a PIN for requests with its key alone, without its
    /// person: for data that are not sensitive. Empty for none.
    package var implicitScopes: [String] = []

    package init() {}

    /// Whether every installation with a key needs a PIN.
    package var isRequired: Bool { use == "required" }
}
