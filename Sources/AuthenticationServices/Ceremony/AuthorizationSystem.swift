// SPDX-License-Identifier: Apache-2.0

/// The environment of authorizations: the device's authenticators and the app's association. Tests
/// use a fake.
package struct AuthorizationSystem: Sendable {
    package var securityKeys: any CredentialAuthenticator
    /// `nil` when this machine has none.
    package var platform: (any CredentialAuthenticator)?
    package var callers: any CallerAuthorizer
    package var slot: AuthorizationSlot

    package init(
        securityKeys: any CredentialAuthenticator, platform: (any CredentialAuthenticator)?,
        callers: any CallerAuthorizer, slot: AuthorizationSlot
    ) {
        self.securityKeys = securityKeys
        self.platform = platform
        self.callers = callers
        self.slot = slot
    }

    func authenticator(
        for request: PreparedRequest
    ) throws(ASAuthorizationError) -> any CredentialAuthenticator {
        switch request.authenticator {
        case .securityKey: return securityKeys
        case .platform:
            guard let platform else {
                throw ASAuthorizationError(.notHandled, "This computer does not store passkeys.")
            }
            return platform
        }
    }
}
