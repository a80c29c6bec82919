// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

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
