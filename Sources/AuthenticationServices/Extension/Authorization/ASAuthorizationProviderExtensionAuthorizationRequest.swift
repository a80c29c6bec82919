// SPDX-License-Identifier: Apache-2.0
public import Foundation
package import SSOExtensions
import SingleSignOn

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request of an app, or one that was taken over on its way. It ends with the first of the methods
/// that end it; further ones change nothing. One that is lost without an end goes its ordinary way.
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
    /// What is asked for; empty for a request that was taken over on its way.
    public var requestedOperation: ASAuthorizationProviderAuthorizationOperation {
        .init(facts.operation)
    }
    /// The headers.
    public var httpHeaders: [String: String] { facts.headers }
    /// The body; empty when there is none.
    public var httpBody: Data { Data(facts.body) }
    /// The realm of a challenge.
    public var realm: String { facts.realm }
    /// What the app says besides.
    public var authorizationOptions: [AnyHashable: Any] { facts.options }
    /// `ExtensionData` of the profile.
    public var extensionData: [AnyHashable: Any] {
        request.request.state?.extensionData.dictionary ?? [:]
    }

    // MARK: The caller

    /// The app.
    public var callerBundleIdentifier: String { facts.callerBundleIdentifier }
    /// Who signed the app.
    public var callerTeamIdentifier: String { facts.callerTeamIdentifier }
    /// What people call the app.
    public var localizedCallerDisplayName: String { facts.callerDisplayName }
    /// The app's process in the form of `audit_token_t`, 32 bytes: user, group, process, and which
    /// process of that number. Empty when the agent does not know it.
    public var callerAuditToken: Data { Data(facts.callerProcess?.auditToken ?? []) }
    /// Whether the organisation installed it.
    public var isCallerManaged: Bool { facts.isCallerManaged }
    /// Whether something may be shown.
    public var isUserInterfaceEnabled: Bool { facts.isUserInterfaceEnabled }

    /// The system's side, for what Platform SSO keeps.
    public var loginManager: ASAuthorizationProviderExtensionLoginManager? {
        ASAuthorizationProviderExtensionLoginManager(request)
    }

    // MARK: The person

    /// Shows the person that something is asked of them; only while the request is open.
    ///
    /// - Parameter completion: whether it is shown, and why not.
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

    /// Asks the person, once something is shown.
    public var dialog: ASAuthorizationProviderExtensionDialog { .init(request) }

    // MARK: Ends

    /// Done; there is nothing to hand back.
    public func complete() { end(.authorization(.completed)) }

    /// Done, with headers that the app is to send.
    public func complete(httpAuthorizationHeaders: [String: String]) {
        end(.authorization(.headers(httpAuthorizationHeaders)))
    }

    /// Done, with an answer in the place of the server's.
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

    /// Done, with a result. One that holds nothing is as ``complete()``.
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

    /// It goes its ordinary way.
    public func doNotHandle() { end(.authorization(.notHandled)) }

    /// The person gave up; it goes nowhere.
    public func cancel() { end(.authorization(.canceled)) }
}
