// SPDX-License-Identifier: Apache-2.0

/// Names of apps, extensions and teams.
package enum AppIdentifier {
    /// `TEAMID.com.example.app`: a team, and a bundle identifier.
    package static func isValid(_ text: String) -> Bool {
        guard let dot = text.firstIndex(of: ".") else { return false }
        return isTeam(String(text[..<dot])) && isBundle(String(text[text.index(after: dot)...]))
    }

    /// Whether a bundle identifier has only ASCII alphanumerics, hyphens and dots
    /// (CFBundleIdentifier), in parts of at least one character.
    package static func isBundle(_ text: String) -> Bool {
        guard 1...255 ~= text.utf8.count else { return false }
        return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.allSatisfy { isAlphanumeric($0) || $0 == 0x2D } }
    }

    /// Whether the text is an app identifier for Apple's association file: a team identifier of
    /// Apple, and a bundle identifier of at most 155 characters.
    package static func isApple(_ text: String) -> Bool {
        guard let dot = text.firstIndex(of: "."), isValid(text) else { return false }
        return isAppleTeam(String(text[..<dot])) && text[dot...].utf8.count <= 156
    }

    /// Whether a team identifier consists of ASCII alphanumerics. Apple's have ten characters; on
    /// Linux they are named for a key.
    package static func isTeam(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.allSatisfy(isAlphanumeric)
    }

    /// Whether a team identifier has Apple's form: ten capitals and digits, or `apple` for Apple
    /// itself.
    package static func isAppleTeam(_ text: String) -> Bool {
        text == KerberosSettings.teamIdentifier
            || text.utf8.count == 10
                && text.utf8.allSatisfy { 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 }
    }

    private static func isAlphanumeric(_ letter: UInt8) -> Bool {
        0x30...0x39 ~= letter || 0x41...0x5A ~= letter || 0x61...0x7A ~= letter
    }
}
