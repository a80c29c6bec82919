// SPDX-License-Identifier: Apache-2.0
import JOSE
package import ProviderCore
import ProviderSettings
import Storage

/// The response of `federationUserPreauthenticationURL` for a configuration with `dynamicWSTrust`
/// (Apple "Performing a preauthentication request"): whether a security token service signs the
/// person in, and the URL of its metadata. The predicate for it is `federated = TRUE`.
///
/// It depends only on the domain of the name, so it does not reveal who has an account.
package struct FederationDiscovery: Sendable {
    private let place: PlatformSSOEndpointInfo

    package init(of tenant: Tenant) { place = PlatformSSOEndpointInfo(tenant) }

    /// Returns `nil` if the project has no security token service.
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
