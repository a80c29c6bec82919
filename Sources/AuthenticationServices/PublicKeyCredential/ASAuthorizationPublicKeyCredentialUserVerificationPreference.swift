// SPDX-License-Identifier: Apache-2.0
/// Whether the authenticator verifies the person (WebAuthn section 5.8.6).
public struct ASAuthorizationPublicKeyCredentialUserVerificationPreference: RawRepresentable,
    Hashable, Sendable
{
    /// As WebAuthn spells it.
    public let rawValue: String

    /// - Parameter rawValue: as WebAuthn spells it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// - Parameter rawValue: as WebAuthn spells it.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// If it can.
    public static let preferred = Self("preferred")
    /// It must.
    public static let required = Self("required")
    /// Rather not.
    public static let discouraged = Self("discouraged")
}
