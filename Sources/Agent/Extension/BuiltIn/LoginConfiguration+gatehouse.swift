// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import SingleSignOn

extension LoginConfiguration {
    /// Adopts how people without a key or a card sign in: on a page if the profile requires it, or
    /// at a security token service if the provider trusts one (docs/platform-sso-provider.md).
    mutating func follow(_ answer: JSONObject, _ method: PlatformSSOAuthenticationMethod) {
        if method == .openID {
            guard let url = answer["web_login_endpoint"]?.string else { return }
            federationType = .dynamicOpenID
            federationUserPreauthenticationURL = url
            authorizationURLKeypath = "authorizationURL"
        } else if let url = answer["federation_endpoint"]?.string,
            let realm = answer["federation_request_urn"]?.string,
            let predicate = try? ResponsePredicate("federated = TRUE")
        {
            federationType = .dynamicWSTrust
            federationUserPreauthenticationURL = url
            federationPredicate = predicate
            federationRequestURN = realm
        }
    }

    /// Whether it was made for that method: a profile may change it.
    func isMade(for method: PlatformSSOAuthenticationMethod) -> Bool {
        federationType.isWebLogin == (method == .openID)
    }
}
