// SPDX-License-Identifier: Apache-2.0
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What an extension hands back to an app: headers, or a whole answer.
public final class ASAuthorizationProviderExtensionAuthorizationResult: NSObject {
    /// Headers that the app is to send.
    public var httpAuthorizationHeaders: [String: String]?
    /// What the app gets in the place of the server's answer.
    public var httpResponse: HTTPURLResponse?
    /// Its body.
    public var httpBody: Data?
    /// Keys for the app; none reach it, for keys do not leave the agent. Standard error says so.
    public var privateKeys: [Any] = []

    /// Headers that the app is to send.
    public init(httpAuthorizationHeaders: [String: String]) {
        self.httpAuthorizationHeaders = httpAuthorizationHeaders
    }

    /// What the app gets in the place of the server's answer.
    public init(httpResponse: HTTPURLResponse, httpBody: Data?) {
        self.httpResponse = httpResponse
        self.httpBody = httpBody
    }
}
