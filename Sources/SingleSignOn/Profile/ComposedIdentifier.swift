// SPDX-License-Identifier: Apache-2.0

/// An extension and the team that signed it, in the form of declarations for macOS:
/// `com.example.app.sso-extension (ABCD123456)`. For iOS the team is omitted.
package struct ComposedIdentifier: Sendable, Equatable, CustomStringConvertible {
    package let bundle: String
    package let team: String?

    package init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard let bundle = parts.first.map(String.init), AppIdentifier.isBundle(bundle),
            parts.count <= 2
        else { return nil }
        self.bundle = bundle
        guard let wrapped = parts.dropFirst().first else {
            team = nil
            return
        }
        guard wrapped.hasPrefix("("), wrapped.hasSuffix(")") else { return nil }
        let name = String(wrapped.dropFirst().dropLast())
        guard AppIdentifier.isTeam(name) else { return nil }
        team = name
    }

    package init?(_ configuration: SSOConfiguration) {
        guard let bundle = configuration.extensionIdentifier else { return nil }
        self.bundle = bundle
        team = configuration.teamIdentifier
    }

    package var description: String { team.map { "\(bundle) (\($0))" } ?? bundle }
}
