// SPDX-License-Identifier: Apache-2.0
import JOSE
import Storage

/// What `federationUserPreauthenticationURL` of a configuration with `dynamicWSTrust` answers (Apple
/// "Performing a preauthentication request"): whether a token service signs that person in, and
/// where it says how. The predicate for it is `federated = TRUE`.
///
/// It goes by the domain of the name alone, so it tells nobody who has an account here.
package struct FederationDiscovery: Sendable {
    private let place: PlatformSSOEndpointInfo

    package init(of tenant: Tenant) { place = PlatformSSOEndpointInfo(tenant) }

    /// `nil` where no token service is believed.
    package func json(user: String) -> [UInt8]? {
        let policy = place.policy.federation
        guard place.isOpen, !policy.issuer.isEmpty else { return nil }
        var answer: JSONValue = ["federated": false]
        if isFederated(user, policy) {
            answer = [
                "federated": true, "federation_metadata_url": .string(policy.metadataURL),
                "federation_request_urn": .string(place.federationAudience),
            ]
        }
        return answer.bytes
    }

    private func isFederated(_ user: String, _ policy: FederationPolicy) -> Bool {
        guard !policy.domains.isEmpty else { return true }
        guard let name = UserName.canonical(user), let mark = name.lastIndex(of: "@") else {
            return false
        }
        return policy.domains.contains(String(name[name.index(after: mark)...]))
    }
}
