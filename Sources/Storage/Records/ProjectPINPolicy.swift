// SPDX-License-Identifier: Apache-2.0

/// A project's rules for PINs of app installations. Devices apply those about digits, for no PIN
/// leaves its device; the provider counts.
package struct ProjectPINPolicy: Sendable, Equatable, Codable {
    /// `off`, `optional` or `required`: whether installations register with a PIN.
    package var use = "optional"
    /// Exact number of digits.
    package var length: Int64 = 5
    /// How many times in a row one digit may stand.
    package var maximumRepeats: Int64 = 2
    package var allowsSequences = false
    /// PINs that may not be chosen.
    package var blocked: [String] = []
    /// Wrong PINs in a row; the last of them locks.
    package var attempts: Int64 = 5
    /// What an installation with a PIN may have by its key alone, without its person: for data
    /// that are not sensitive. Empty for nothing.
    package var implicitScopes: [String] = []

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.use, &use)
        try read(.length, &length)
        try read(.maximumRepeats, &maximumRepeats)
        try read(.allowsSequences, &allowsSequences)
        try read(.blocked, &blocked)
        try read(.attempts, &attempts)
        try read(.implicitScopes, &implicitScopes)
    }
}
