// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import WebAuthn

extension LoginConfiguration {
    /// Refuses what this agent would not follow: an extension that is told nothing believes that a
    /// password goes to the federation's service, or that keys are led to a root.
    ///
    /// - Throws: with the name of the property.
    func checkFollowed() throws(PlatformSSORefusal) {
        for (code, name, isSet) in unfollowed where isSet {
            throw PlatformSSORefusal(code, "\(name): this agent does not follow it")
        }
        guard (try? RootKeys(der: jwksTrustedRootCertificates)) != nil else {
            throw PlatformSSORefusal(
                .certificateMalformed, "jwksTrustedRootCertificates: not certificates in DER")
        }
    }

    private var unfollowed: [(PlatformSSORefusal.Code, String, Bool)] {
        [
            (.grantUnsupported, "federationType", federationType != .none),
            (.grantUnsupported, "fallbackFederationType", fallbackFederationType != .none),
            (
                .claimMalformed, "includePreviousRefreshTokenInLoginRequest",
                includePreviousRefreshTokenInLoginRequest
            ),
            (
                .hpkeNotOffered, "loginRequestEncryptionAlgorithm",
                loginRequestEncryptionAlgorithm != .ecdheA256GCM
            ),
            (.hpkeNotOffered, "hpkePreSharedKey", hpkePreSharedKey != nil),
            (.hpkeNotOffered, "hpkeAuthPublicKey", hpkeAuthPublicKey != nil),
        ]
    }
}
