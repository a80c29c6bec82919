// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import UserClient
import WebAuthn

extension LoginConfiguration {
    /// Refuses what this agent does not support: without an error an extension would assume that a
    /// password is sent to the service of the federation, or that certificates are verified up to a
    /// root.
    ///
    /// - Throws: An error with the name of the property.
    func checkFollowed() throws(PlatformSSORefusal) {
        for (code, name, isSet) in unfollowed where isSet {
            throw PlatformSSORefusal(code, "\(name): this agent does not follow it")
        }
        try checkFederation(federationType)
        try checkFederation(fallbackFederationType)
        guard (try? RootKeys(der: jwksTrustedRootCertificates)) != nil else {
            throw PlatformSSORefusal(
                .certificateMalformed, "jwksTrustedRootCertificates: not certificates in DER")
        }
    }

    private var unfollowed: [(PlatformSSORefusal.Code, String, Bool)] {
        [
            // A page can replace a password, but a password cannot replace a page.
            (
                .grantUnsupported, "fallbackFederationType",
                [.wsTrust, .dynamicWSTrust].contains(fallbackFederationType)
            ),
            (
                .hpkeNotOffered, "loginRequestEncryptionAlgorithm",
                loginRequestEncryptionAlgorithm != .ecdheA256GCM
            ),
            (.hpkeNotOffered, "hpkePreSharedKey", hpkePreSharedKey != nil),
            (.hpkeNotOffered, "hpkeAuthPublicKey", hpkeAuthPublicKey != nil),
        ]
    }

    /// What a federation needs must be there before a person comes, and nothing of it may go in the open.
    private func checkFederation(_ type: FederationType) throws(PlatformSSORefusal) {
        switch type {
        case .none: break
        case .wsTrust:
            try Self.require("federationMEXURL", federationMEXURL?.hasPrefix("https://") == true)
            try Self.require("federationRequestURN", federationRequestURN?.isEmpty == false)
        case .dynamicWSTrust:
            try requirePreauthentication()
            try Self.require("federationPredicate", federationPredicate != nil)
            try Self.require("federationRequestURN", federationRequestURN?.isEmpty == false)
        case .openID:
            try Self.require("authorizationURL", Self.isProtected(authorizationURL))
        case .dynamicOpenID:
            try requirePreauthentication()
            try Self.require("authorizationURLKeypath", authorizationURLKeypath?.isEmpty == false)
        }
    }

    private func requirePreauthentication() throws(PlatformSSORefusal) {
        try Self.require(
            "federationUserPreauthenticationURL",
            Self.isProtected(federationUserPreauthenticationURL))
    }

    private static func isProtected(_ url: String?) -> Bool {
        url.map(ProviderEndpoints.isProtected) ?? false
    }

    private static func require(
        _ name: String, _ isThere: Bool
    ) throws(PlatformSSORefusal) {
        guard isThere else {
            throw PlatformSSORefusal(.claimMissing, "\(name): missing, or no https address")
        }
    }
}
