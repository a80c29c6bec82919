// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A handler of requests of apps.
@MainActor
public protocol ASAuthorizationProviderExtensionAuthorizationRequestHandler:
    NSObjectProtocol
{
    /// Begins with a request. One of the request's methods that end it is to be called, once.
    func beginAuthorization(with request: ASAuthorizationProviderExtensionAuthorizationRequest)

    /// The caller has disconnected.
    func cancelAuthorization(with request: ASAuthorizationProviderExtensionAuthorizationRequest)
}

extension ASAuthorizationProviderExtensionAuthorizationRequestHandler {
    /// Does nothing.
    public func cancelAuthorization(
        with request: ASAuthorizationProviderExtensionAuthorizationRequest
    ) {}
}
