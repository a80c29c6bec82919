// SPDX-License-Identifier: Apache-2.0

/// An app's statement of its version and system in every request.
///
/// The field `Gatehouse-Application`, two products as in RFC 9110 section 10.1.5:
///
///     Gatehouse-Application: com.example.notes/2.4.1 ios/17.6.1
///
/// The statement is not verified. It informs an honest app that it is too old; attestation excludes
/// others.
package struct ApplicationVersion: Sendable, Equatable {
    /// In lower case, for lookups.
    package static let fieldName = "gatehouse-application"

    /// The bundle identifier or package name.
    package let application: String
    package let version: VersionNumber
    /// In lower case: `android`, `ios`, `linux`, `macos` …
    package let system: String
    package let systemVersion: VersionNumber

    private static let maximumNameLength = 128

    /// Returns `nil` if a name is empty, too long or has other characters.
    package init?(
        application: String, version: VersionNumber, system: String, systemVersion: VersionNumber
    ) {
        guard Self.isName(application), Self.isName(system), system == system.lowercased() else {
            return nil
        }
        self.application = application
        self.version = version
        self.system = system
        self.systemVersion = systemVersion
    }

    /// Reads the field; `nil` for anything but exactly two products.
    package init?(_ field: String) {
        let products = field.split(separator: " ", omittingEmptySubsequences: false)
        guard products.count == 2, let app = Self.product(products[0]),
            let system = Self.product(products[1])
        else { return nil }
        self.init(
            application: app.name, version: app.version, system: system.name,
            systemVersion: system.version)
    }

    /// The transmitted form.
    package var field: String { "\(application)/\(version) \(system)/\(systemVersion)" }

    /// Whether a name consists of 1 to 128 ASCII alphanumerics and `. _ -`.
    package static func isName(_ text: some StringProtocol) -> Bool {
        (1...maximumNameLength).contains(text.utf8.count) && text.utf8.allSatisfy(isLetter)
    }

    private static func product(_ text: Substring) -> (name: String, version: VersionNumber)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let version = VersionNumber(parts[1]) else { return nil }
        return (String(parts[0]), version)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "._-".utf8.contains(byte)
    }
}
