// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives

/// The security keys that are connected to this machine.
struct ConnectedKeys: CredentialAuthenticator {
    let source: any AuthenticatorSource

    /// A key must be found, plugged in, touched: nothing is at hand.
    func hasCredential(relyingParty: String, allowed: [CTAPCredentialDescriptor]) async -> Bool {
        false
    }

    func client(interaction: any SecurityKeyInteraction) async throws -> any CredentialClient {
        SecurityKeyClient(source: source, interaction: interaction, random: SystemRandomSource())
    }
}

extension SecurityKeyClient: CredentialClient {}
