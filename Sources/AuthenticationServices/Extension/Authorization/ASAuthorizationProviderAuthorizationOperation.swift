// SPDX-License-Identifier: Apache-2.0
/// The operation that an app requests of an extension.
public struct ASAuthorizationProviderAuthorizationOperation: RawRepresentable, Hashable, Sendable {
    /// Its name; empty for a request that was taken over on its way.
    public let rawValue: String

    /// - Parameter rawValue: its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// - Parameter rawValue: its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The profile was removed: the extension must delete its stored data.
    public static let configurationRemoved = Self("configurationRemoved")
    /// A request to the extension instead of a page.
    public static let directRequest = Self("directRequest")
}
