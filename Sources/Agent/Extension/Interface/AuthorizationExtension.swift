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
