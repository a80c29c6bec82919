// SPDX-License-Identifier: Apache-2.0

/// A project's rules for app installations. Stored as JSON.
package struct RegistrationPolicy: Sendable, Equatable, Codable {
    /// The names of the offered registration methods. The two defaults require a key that an
    /// administrator has registered or created.
    package var methods = ["signedJWT", "testKey"]
    /// Whether test keys are accepted in a production environment.
    package var testKeysInProduction = false
    /// Whether people of other identity providers may delete their account by themselves.
    package var federatedDeregistration = false
    /// Whether a person that a signed token identifies may register further installations, each
    /// with a separate key.
    package var secondInstallations = false
    /// The versions of apps and systems that are accepted; without an entry all are.
    package var applications: [AppVersionPolicy] = []
    package var systems: [SystemVersionPolicy] = []
    /// Whether only apps in ``applications`` may register people.
    package var listedApplicationsOnly = false
    package var identityProviders: [CustomProviderSettings] = []
    package var pin = ProjectPINPolicy()
    /// The kinds of authenticators that installations may have besides key and PIN: `biometric`,
    /// and names that the operator defines. If empty, none is offered.
    package var authenticators: [String] = []
    /// The scopes of an installation for requests with its key alone: data that do not belong to a
    /// person.
    package var deviceScopes: [String] = []
    package var approvals = ApprovalPolicy()
    package var apple = AppleAppPolicy()
    package var android = AndroidAppPolicy()
    /// Keys of vendors, sealed, in Base64; never displayed.
    package var secrets: [String: String] = [:]

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.methods, &methods)
        try read(.testKeysInProduction, &testKeysInProduction)
        try read(.federatedDeregistration, &federatedDeregistration)
        try read(.secondInstallations, &secondInstallations)
        try read(.applications, &applications)
        try read(.systems, &systems)
        try read(.listedApplicationsOnly, &listedApplicationsOnly)
        try read(.identityProviders, &identityProviders)
        try read(.pin, &pin)
        try read(.authenticators, &authenticators)
        try read(.deviceScopes, &deviceScopes)
        try read(.approvals, &approvals)
        try read(.apple, &apple)
        try read(.android, &android)
        try read(.secrets, &secrets)
    }
}
