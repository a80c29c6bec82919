// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PlatformSSO
package import Primitives

/// One person on this device.
package struct PersonRecord: Sendable, Equatable {
    /// `loginUserName`, which may differ from the account.
    package var loginUserName: String?
    /// Whether the provider has refused that name with a password, and never accepted it.
    package var isNameDoubted = false
    /// What the extension has their requests say besides.
    package var loginClaims = CustomClaims()
    /// As ``loginClaims``, in the assertions inside of them.
    package var assertionClaims = CustomClaims()
    /// `UserSecureEnclaveKey`
    package var key: AgentKey?
    /// Whether the provider refused that key, or it was destroyed, since it last signed in.
    package var isKeyInvalid = false
    /// Of ``key``, since the last that was right.
    package var wrongPINs = 0
    package var managed = ManagedKeys()
    /// `ssoTokens`, as the extension left them or the last login brought them.
    package var tokens: JSONObject?
    package var session: SignInSession?
    /// The identity since the first sign-in: another person can never sign in as this account.
    package var identity: LoginIdentity?
    /// When the provider last responded for another person, until it responds for this one again.
    package var strangerAt: Timestamp?
    package var unlock: UnlockRecord?
    /// Whether the provider refused a password since it accepted the last.
    package var owesLogin = false
    /// What opens sealed secrets while the provider is away; empty unless a policy grants that.
    package var cachedKeyAgreements: [CachedKeyAgreement] = []
    /// What the extension said of them last.
    package var portrait: PersonDisplayInfo?

    package init() {}

    var configuration: UserLoginConfiguration? {
        guard let loginUserName else { return nil }
        var configuration = UserLoginConfiguration(loginUserName: loginUserName)
        configuration.customLoginRequestClaims = loginClaims
        configuration.customAssertionRequestClaims = assertionClaims
        return configuration
    }
}
