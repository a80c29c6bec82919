// SPDX-License-Identifier: Apache-2.0
/// Whether the credential is to be found without its identifier (WebAuthn section 5.4.6).
public struct ASAuthorizationPublicKeyCredentialResidentKeyPreference: RawRepresentable,
    Hashable, Sendable
{
    /// As WebAuthn spells it.
    public let rawValue: String

    /// - Parameter rawValue: as WebAuthn spells it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// - Parameter rawValue: as WebAuthn spells it.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Rather not.
    public static let discouraged = Self("discouraged")
    /// If the authenticator can.
    public static let preferred = Self("preferred")
    /// It must.
    public static let required = Self("required")
}
