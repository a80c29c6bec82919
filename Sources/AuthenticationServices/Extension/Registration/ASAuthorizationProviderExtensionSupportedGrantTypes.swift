// SPDX-License-Identifier: Apache-2.0
/// The credentials that the extension and its provider accept from a person.
public struct ASAuthorizationProviderExtensionSupportedGrantTypes: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// - Parameter rawValue: the bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A password.
    public static let password = Self(rawValue: 1)
    /// A key of the person, a card, or a password that only the provider can read.
    public static let jwtBearer = Self(rawValue: 2)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A SAML 1.1 assertion from WS-Trust.
    public static let saml1_1 = Self(rawValue: 4)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A SAML 2.0 assertion from WS-Trust.
    public static let saml2_0 = Self(rawValue: 8)
    /// A web login (macOS 27). Apple has not published its bit; this one is ours.
    public static let tokenExchange = Self(rawValue: 16)
}
