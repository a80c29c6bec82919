// SPDX-License-Identifier: Apache-2.0

/// A project's rules for app installations. Stored as JSON.
package struct RegistrationPolicy: StoredSettings, Equatable {
    /// The names of the offered registration methods. The defaults require a sign-in of the person
    /// in a browser, or a key that an administrator has registered or created.
    package var methods = ["signedJWT", "testKey", "oidc"]
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
}
