// SPDX-License-Identifier: Apache-2.0

/// The result of a registration.
public struct RegistrationOutcome: Sendable {
    /// The registered person.
    public let profile: Profile
    /// The person's session.
    public let session: UserSession
    /// `false` when the person had a profile here already, which is used again.
    public let isNewProfile: Bool
    /// The identity provider with which the person registered; `nil` if none was named.
    public var identityProvider: IdentityProvider?
    /// The last message of a custom identity provider; `nil` for other methods.
    public var providerAnswer: CustomPayload?
}
