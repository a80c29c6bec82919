// SPDX-License-Identifier: Apache-2.0

extension Project {
    /// Realms (``Person/realm``) about which the project's own settings decide, and whether their word counts.
    package var realms: [String: Bool] {
        var realms = [IssuerKey.testRealm: believesTestKeys]
        for service in policy.registration.identityProviders {
            realms[service.realm] = service.enabled
        }
        return realms
    }

    /// Nobody tests where people live, unless somebody says so.
    package var believesTestKeys: Bool {
        environment != .production || policy.registration.testKeysInProduction
    }
}

extension CustomProviderSettings {
    /// How people of this service are told from all others. No registered issuer is called so.
    package var realm: String { "urn:gatehouse:identity-provider:\(id)" }
}

extension IssuerKey {
    /// Of people whom test keys have made.
    package static let testRealm = "testRegisterIssuer"
}
