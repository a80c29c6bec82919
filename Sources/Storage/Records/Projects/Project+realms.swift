// SPDX-License-Identifier: Apache-2.0

extension Project {
    /// The realms (``Person/realm``) that the project's settings control, with whether each is
    /// enabled.
    package var realms: [String: Bool] {
        var realms = [IssuerKey.testRealm: believesTestKeys]
        for service in policy.registration.identityProviders {
            realms[service.realm] = service.enabled
        }
        return realms
    }

    /// Whether test keys are accepted: outside production, or if the policy allows it.
    package var believesTestKeys: Bool {
        environment != .production || policy.registration.testKeysInProduction
    }
}

extension CustomProviderSettings {
    /// The realm of the people of this service. Registered issuers cannot have this name.
    package var realm: String { "urn:gatehouse:identity-provider:\(id)" }
}

extension IssuerKey {
    /// The realm of people who were registered with test keys.
    package static let testRealm = "testRegisterIssuer"
}
