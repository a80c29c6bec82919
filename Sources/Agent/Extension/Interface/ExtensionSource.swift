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
