// SPDX-License-Identifier: Apache-2.0
/// The attestation that the relying party requests (WebAuthn section 5.4.7).
public struct ASAuthorizationPublicKeyCredentialAttestationKind: RawRepresentable,
    Hashable, Sendable
{
    /// As WebAuthn spells it.
    public let rawValue: String

    /// - Parameter rawValue: as WebAuthn spells it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// - Parameter rawValue: as WebAuthn spells it.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// None.
    public static let none = Self("none")
    /// As the authenticator makes it.
    public static let direct = Self("direct")
    /// Any that can be verified.
    public static let indirect = Self("indirect")
    /// One that may name the single authenticator.
    public static let enterprise = Self("enterprise")
}
