// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

/// Finds the extension that serves a profile.
package protocol ExtensionSource: Sendable {
    /// `nil` when no such extension is installed.
    func find(_ configuration: SSOConfiguration) -> InstalledExtension?

    /// What answers the requests of apps that the profile chose it for; `nil` when nothing does.
    func authorization(for configuration: SSOConfiguration) -> (any AuthorizationExtension)?
}

extension ExtensionSource {
    package func authorization(
        for configuration: SSOConfiguration
    ) -> (any AuthorizationExtension)? { nil }
}

/// An extension that can be called, and what the agent has to know of it before.
package struct InstalledExtension: Sendable {
    package let registration: any RegistrationExtension
    /// Changes when the program does.
    package let revision: String
    /// Whether it speaks protocol 2.0.
    package let hasKeyService: Bool

    package init(
        _ registration: any RegistrationExtension, revision: String, hasKeyService: Bool
    ) {
        self.registration = registration
        self.revision = revision
        self.hasKeyService = hasKeyService
    }
}

/// The one that is built in: it serves every profile whose `ExtensionData` name an `issuer`, as
/// `gatehouse platform-sso profile` writes them, so that Macs and Linux machines share one profile.
package struct BuiltInExtensions: ExtensionSource {
    private let gatehouse: GatehouseExtension

    package init(_ gatehouse: GatehouseExtension) { self.gatehouse = gatehouse }

    package func find(_ configuration: SSOConfiguration) -> InstalledExtension? {
        guard (configuration.extensionData ?? []).text("issuer") != nil else { return nil }
        return InstalledExtension(gatehouse, revision: "built-in/1", hasKeyService: true)
    }
}
