// SPDX-License-Identifier: Apache-2.0
import Agent
import SingleSignOn

/// An extension that registers as it is told, and answers requests of apps itself.
protocol AnsweringExtension: ExtensionSource, AuthorizationExtension {
    var registration: ScriptedExtension { get }
}

extension AnsweringExtension {
    func find(_ configuration: SSOConfiguration) -> InstalledExtension? {
        registration.find(configuration)
    }

    func authorization(
        for configuration: SSOConfiguration
    ) -> (any AuthorizationExtension)? { self }
}
