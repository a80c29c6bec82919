// SPDX-License-Identifier: Apache-2.0
import Primitives
package import SingleSignOn

extension RegistrationPlan {
    /// - Parameters:
    ///   - extensionRevision: The revision of the program that serves it.
    ///   - hasKeyService: Whether the extension supports protocol 2.0.
    ///   - accounts: The accounts that it concerns; `nil` for all.
    ///   - tokenAccounts: The accounts whose own profiles have a registration token.
    /// - Returns: `nil` if the payload does not configure Platform SSO.
    package init?(
        _ configuration: SSOConfiguration, revision: String, extensionRevision: String,
        hasKeyService: Bool, accounts: Set<String>? = nil, tokenAccounts: Set<String> = []
    ) {
        guard let method = configuration.authenticationMethod,
            let identifier = configuration.extensionIdentifier
        else { return nil }
        let settings = configuration.platformSSO
        let isShared = settings?.useSharedDeviceKeys ?? false
        self.init(
            extensionIdentifier: (configuration.teamIdentifier.map { "\($0)." } ?? "") + identifier,
            method: method.rawValue, sharesDeviceKeys: isShared,
            hasToken: configuration.registrationToken.map { !$0.isEmpty } ?? false,
            usesKeyService: hasKeyService && isShared && [.password, .openID].contains(method),
            exemptAccounts: Set(settings?.nonPlatformSSOAccounts ?? []),
            accounts: accounts, tokenAccounts: tokenAccounts,
            revision: revision + "/" + extensionRevision)
    }
}
