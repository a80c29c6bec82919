// SPDX-License-Identifier: Apache-2.0
package import OAuth

/// The purpose of a login, which macOS 27 sends as one scope value
/// (`includePlatformSSOAuthorizationScopes`, and every web login).
package enum AuthorizationScope: String, Sendable, CaseIterable {
    case elevation
    case refresh
    case authPrompt = "auth-prompt"
    case createUser = "create-user"
    case fallback
    case login
    case passwordChange = "password-change"
    case setupAssistant = "setup-assistant"
    case temporarySession = "temporary-session"
    case unlock

    package static let prefix = "urn:apple:platformsso:auth:"

    package var scope: String { Self.prefix + rawValue }

    /// Returns the purpose in a scope; `nil` if there is none, or an unknown one.
    package static func named(in scope: ScopeSet) -> AuthorizationScope? {
        scope.values.lazy.filter { $0.hasPrefix(prefix) }
            .compactMap { Self(rawValue: String($0.dropFirst(prefix.count))) }.first
    }
}
