// SPDX-License-Identifier: Apache-2.0
/// What an app asks an extension for.
public struct ASAuthorizationProviderAuthorizationOperation: RawRepresentable, Hashable, Sendable {
    /// Its name; empty for a request that was taken over on its way.
    public let rawValue: String

    /// - Parameter rawValue: its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// - Parameter rawValue: its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The profile is gone: whatever the extension kept is to go too.
    public static let configurationRemoved = Self("configurationRemoved")
    /// Sent to the extension itself, in the place of a page.
    public static let directRequest = Self("directRequest")
}
