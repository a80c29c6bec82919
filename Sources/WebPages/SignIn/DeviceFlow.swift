// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
package import ProviderCore

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
    /// The code that the device displays: `WDJB-MJHT`.
    package var code: String
    /// Whether the decision requires a recent sign-in.
    package var needsFreshSignIn: Bool
    /// The name that the device sent, unverified; empty if it sent none.
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
