// SPDX-License-Identifier: Apache-2.0
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An extension's result for an app: headers, or a whole response.
public final class ASAuthorizationProviderExtensionAuthorizationResult: NSObject {
    /// Headers that the app is to send.
    public var httpAuthorizationHeaders: [String: String]?
    /// The response that replaces the server's.
    public var httpResponse: HTTPURLResponse?
    /// Its body.
    public var httpBody: Data?
    /// Keys for the app. They are not delivered, because keys do not leave the agent; a warning is
    /// written to standard error.
    public var privateKeys: [Any] = []

    /// Headers that the app is to send.
    public init(httpAuthorizationHeaders: [String: String]) {
        self.httpAuthorizationHeaders = httpAuthorizationHeaders
    }

    /// Creates a result with a response that replaces the server's.
    public init(httpResponse: HTTPURLResponse, httpBody: Data?) {
        self.httpResponse = httpResponse
        self.httpBody = httpBody
    }
}
