// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

/// An extension that answers requests of apps: Apple's
/// `ASAuthorizationProviderExtensionAuthorizationRequestHandler`.
package protocol AuthorizationExtension: Sendable {
    /// - Returns: `notHandled` also when the extension failed: the request then goes its ordinary way.
    func authorize(
        _ request: ExtensionAuthorizationRequest, _ manager: any ExtensionLoginManager
    ) async -> ExtensionAuthorizationResponse
}

/// A request of an app, as it comes over the agent's socket.
package struct AppRequest: Sendable, Equatable {
    /// Whole, with its query; of a credential extension, where the challenge came from.
    package var url: String
    /// Empty for a request that was taken over on its way.
    package var operation = ""
    package var headers: [String: String] = [:]
    package var body: [UInt8] = []
    /// Of a challenge; then a credential extension is looked for.
    package var realm: String?
    package var options: [String: String] = [:]
    package var isUserInterfaceEnabled = true

    package init(url: String) { self.url = url }
}
