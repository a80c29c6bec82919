// SPDX-License-Identifier: Apache-2.0

/// A project's rules for app installations. Stored as JSON.
package struct RegistrationPolicy: Sendable, Equatable, Codable {
    /// The registration methods that are offered, by name. The usual two let in nobody before an
    /// administrator has registered or made a key for them.
    package var methods = ["signedJWT", "testKey"]
    /// Whether test keys are accepted in a production environment.
    package var testKeysInProduction = false
    /// Whether people of other identity providers may close their account here by themselves.
    package var federatedDeregistration = false
    /// Whether somebody whom a signed token names may register installations besides their first,
    /// each with a key of its own.
    package var secondInstallations = false
    /// Which versions of apps and systems are let in; no rule, no question.
    package var applications: [AppVersionPolicy] = []
    package var systems: [SystemVersionPolicy] = []
    /// Whether an app that is not among ``applications`` may register nobody.
    package var listedApplicationsOnly = false
    package var identityProviders: [CustomProviderSettings] = []
    package var pin = ProjectPINPolicy()
    /// The kinds of authenticators that installations may have besides key and PIN: `biometric`,
    /// and names of the operator's own. None is offered unless it is named here.
    package var authenticators: [String] = []
    /// What an installation may have by its key without its person: scopes that are nobody's data.
    package var deviceScopes: [String] = []
    package var approvals = ApprovalPolicy()
    package var apple = AppleAppPolicy()
    package var android = AndroidAppPolicy()
    /// Keys of vendors, sealed, in base64; never shown.
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
