// SPDX-License-Identifier: Apache-2.0
public import Foundation
package import SSOExtensions
import SingleSignOn

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request of an app, or an intercepted HTTP request. The first of the completing methods ends
/// it; further ones change nothing. A request that is released without an end continues without the
/// extension.
public final class ASAuthorizationProviderExtensionAuthorizationRequest: NSObject, Sendable {
    private let request: OpenRequest
    private let facts: ExtensionAuthorizationRequest
    private let end: OneShotResponder

    package init?(_ request: OpenRequest) {
        guard case .authorize(let facts, _) = request.request else { return nil }
        self.request = request
        self.facts = facts
        end = OneShotResponder(request, name: "The end of the authorization request")
    }

    // MARK: The request

    /// Whole, with its query.
    public var url: URL { URL(string: facts.url) ?? URL(filePath: "/") }
    /// The requested operation; empty for an intercepted HTTP request.
    public var requestedOperation: ASAuthorizationProviderAuthorizationOperation {
        .init(facts.operation)
    }
    /// The headers.
    public var httpHeaders: [String: String] { facts.headers }
    /// The body; empty when there is none.
    public var httpBody: Data { Data(facts.body) }
    /// The realm of a challenge.
    public var realm: String { facts.realm }
    /// Further options of the app.
    public var authorizationOptions: [AnyHashable: Any] { facts.options }
    /// `ExtensionData` of the profile.
    public var extensionData: [AnyHashable: Any] {
        request.request.state?.extensionData.dictionary ?? [:]
    }

    // MARK: The caller

    /// The app.
    public var callerBundleIdentifier: String { facts.callerBundleIdentifier }
    /// The signing team of the app.
    public var callerTeamIdentifier: String { facts.callerTeamIdentifier }
    /// The displayed name of the app.
    public var localizedCallerDisplayName: String { facts.callerDisplayName }
    /// The app's process in the form of `audit_token_t`, 32 bytes: user, group, process, and
    /// process version. Empty if the agent has not identified it.
    public var callerAuditToken: Data { Data(facts.callerProcess?.auditToken ?? []) }
    /// Whether the organisation installed it.
    public var isCallerManaged: Bool { facts.isCallerManaged }
    /// Whether something may be shown.
    public var isUserInterfaceEnabled: Bool { facts.isUserInterfaceEnabled }

    /// The login manager for the stored state of Platform SSO.
    public var loginManager: ASAuthorizationProviderExtensionLoginManager? {
        ASAuthorizationProviderExtensionLoginManager(request)
    }

    // MARK: The person

    /// Displays the request to the person; only while it is open.
    ///
    /// - Parameter completion: Whether it is displayed, and the error otherwise.
    public func presentAuthorizationViewController(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let request = request
        Task {
            do throws(ExtensionCallRefusal) {
                _ = try await request.perform(.present)
                completion(true, nil)
            } catch {
                completion(false, ASAuthorizationError(error))
            }
        }
    }

    /// As ``presentAuthorizationViewController(completion:)``.
    @discardableResult
    public func presentAuthorizationViewController() async throws -> Bool {
        do throws(ExtensionCallRefusal) { _ = try await request.perform(.present) } catch {
            throw ASAuthorizationError(error)
        }
        return true
    }

    /// Prompts the person, after the request is displayed.
    public var dialog: ASAuthorizationProviderExtensionDialog { .init(request) }

    // MARK: Ends

    /// Done; there is nothing to hand back.
    public func complete() { end(.authorization(.completed)) }

    /// Done, with headers that the app is to send.
    public func complete(httpAuthorizationHeaders: [String: String]) {
        end(.authorization(.headers(httpAuthorizationHeaders)))
    }

    /// Completes the request with a response that replaces the server's.
    public func complete(httpResponse: HTTPURLResponse, httpBody: Data?) {
        var headers: [String: String] = [:]
        for (name, value) in httpResponse.allHeaderFields {
            headers[String(describing: name)] = String(describing: value)
        }
        end(
            .authorization(
                .response(
                    url: httpResponse.url?.absoluteString, status: httpResponse.statusCode,
                    headers: headers, body: httpBody.map { Array($0) })))
    }

    /// Completes the request with a result. An empty one is equal to ``complete()``.
    public func complete(
        authorizationResult: ASAuthorizationProviderExtensionAuthorizationResult
    ) {
        if !authorizationResult.privateKeys.isEmpty {
            ExtensionWarning.write("privateKeys stay here: keys do not leave the agent.")
        }
        if let response = authorizationResult.httpResponse {
            complete(httpResponse: response, httpBody: authorizationResult.httpBody)
        } else if let headers = authorizationResult.httpAuthorizationHeaders {
            complete(httpAuthorizationHeaders: headers)
        } else {
            complete()
        }
    }

    /// It failed; the app gets the error.
    public func complete(error: any Error) {
        let described = error as NSError
        end(
            .authorization(
                .failed(
                    domain: described.domain, code: described.code,
                    reason: String(error.localizedDescription.prefix(1000)))))
    }

    /// Continues the request without the extension.
    public func doNotHandle() { end(.authorization(.notHandled)) }

    /// Cancels the request for the person; it ends.
    public func cancel() { end(.authorization(.canceled)) }
}
