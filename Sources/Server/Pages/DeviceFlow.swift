// SPDX-License-Identifier: Apache-2.0
package import IdentityProvider

/// The device authorizations that wait for a person (RFC 8628), as pages see them.
package protocol DeviceFlow: Sendable {
    /// Whose code it is. Every look counts as a guess.
    func look(
        _ typed: String, _ request: ServerRequest
    ) async throws -> Result<DeviceCodePrompt, Refusal>
    func decide(
        _ typed: String, allow: Bool, _ request: ServerRequest, _ signedIn: AuthenticatedSession
    ) async throws -> Result<Bool, Refusal>
}

package struct DeviceCodePrompt: Sendable {
    package var client: ClientDisplayInfo
    package var scopes: [String]
    /// As it is shown on the device: `WDJB-MJHT`.
    package var code: String
    /// Whether whoever decides has to have signed in a moment ago.
    package var needsFreshSignIn: Bool
    /// What the device calls itself, which nobody has checked; empty when it said nothing.
    package var device: String

    package init(
        client: ClientDisplayInfo, scopes: [String], code: String, needsFreshSignIn: Bool = false,
        device: String = ""
    ) {
        self.client = client
        self.scopes = scopes
        self.code = code
        self.needsFreshSignIn = needsFreshSignIn
        self.device = device
    }
}
