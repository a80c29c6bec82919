// SPDX-License-Identifier: Apache-2.0
public import Foundation
import PlatformSSO
import Primitives
package import SSOExtensions
import SingleSignOn

/// An extension's access to the system while a request is open: keys, configurations, and the
/// person.
///
/// It is valid for one request and can neither save nor sign afterwards. Methods that are not
/// `async` block until the system responds, usually for a short time.
public final class ASAuthorizationProviderExtensionLoginManager: NSObject, Sendable {
    let request: OpenRequest
    private let state: SharedValue<ExtensionLoginState>

    package init(_ request: OpenRequest) {
        self.request = request
        state = SharedValue(request.request.state ?? ExtensionLoginState())
    }

    // MARK: What is registered

    /// Whether the device is registered.
    public var isDeviceRegistered: Bool { state[\.isDeviceRegistered] }

    /// Whether the person is; never during the registration of a device.
    public var isUserRegistered: Bool { state[\.isUserRegistered] }

    /// `RegistrationToken` of the profile.
    public var registrationToken: String? { state[\.registrationToken]?.revealText() }

    /// The authentication method of the profile.
    public var authenticationMethod: ASAuthorizationProviderExtensionAuthenticationMethod {
        .init(state[\.authenticationMethod])
    }

    /// `ExtensionData` of the profile.
    public var extensionData: [AnyHashable: Any] {
        state[\.extensionData].dictionary
    }

    /// The person's username at the provider; part of ``userLoginConfiguration`` since macOS 14. It
    /// cannot be set during the registration of a device.
    public var loginUserName: String? {
        get { state[\.loginUserName] }
        set {
            if attempt({ try perform(.saveLoginUserName(newValue)) }) {
                state[\.loginUserName] = newValue
            }
        }
    }

    // MARK: Tokens

    /// The tokens of the person's last login response; `nil` before the first. A new value replaces
    /// it.
    public var ssoTokens: [AnyHashable: Any]? {
        get { state[\.tokens].map { JSONDictionary.dictionary($0) } }
        set {
            attempt {
                let named = newValue.map { tokens in
                    Dictionary(uniqueKeysWithValues: tokens.map { (String(describing: $0), $1) })
                }
                let tokens = try named.map { try JSONDictionary.object($0) }
                try perform(.saveTokens(tokens))
                state[\.tokens] = tokens
            }
        }
    }

    // MARK: Configurations

    /// The last saved configuration.
    public var loginConfiguration: ASAuthorizationProviderExtensionLoginConfiguration? {
        state[\.loginConfiguration]
            .flatMap { try? LoginConfiguration(json: $0) }
            .map { ASAuthorizationProviderExtensionLoginConfiguration($0) }
    }

    /// The last saved configuration of the person.
    public var userLoginConfiguration: ASAuthorizationProviderExtensionUserLoginConfiguration? {
        state[\.userLoginConfiguration]
            .flatMap { try? UserLoginConfiguration(json: $0) }
            .map { ASAuthorizationProviderExtensionUserLoginConfiguration($0) }
    }

    /// Saves or replaces the configuration, for all people on the device.
    ///
    /// - Throws: ``ASAuthorizationError`` when it is not right, or the system does not take it.
    public func saveLoginConfiguration(
        _ loginConfiguration: ASAuthorizationProviderExtensionLoginConfiguration
    ) throws {
        let json = try loginConfiguration.checked().json
        try perform(.saveLoginConfiguration(json))
        state[\.loginConfiguration] = json
    }

    /// Saves or replaces the configuration of the person.
    ///
    /// - Throws: ``ASAuthorizationError``; always during the registration of a device, which has no
    ///   person.
    public func saveUserLoginConfiguration(
        _ userLoginConfiguration: ASAuthorizationProviderExtensionUserLoginConfiguration
    ) throws {
        let json = userLoginConfiguration.configuration.json
        try perform(.saveUserLoginConfiguration(json))
        state[\.userLoginConfiguration] = json
    }

    // MARK: What is to happen

    /// Has the person sign in again.
    ///
    /// - Parameter completion: with `nil` when that was arranged.
    public func userNeedsReauthentication(
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Task {
            completion(
                await failure { () async throws(ASAuthorizationError) in
                    try await performLater(.userNeedsReauthentication)
                })
        }
    }

    /// As ``userNeedsReauthentication(completion:)``.
    public func userNeedsReauthentication() async throws {
        try await performLater(.userNeedsReauthentication)
    }

    /// Has the device registered again.
    public func deviceRegistrationsNeedsRepair() {
        attempt { try perform(.deviceRegistrationNeedsRepair) }
    }

    /// Has the person registered again.
    public func userRegistrationsNeedsRepair() {
        attempt { try perform(.userRegistrationNeedsRepair) }
    }

    /// Requests a new key of the key service.
    public func decryptionKeysNeedRepair() { attempt { try perform(.decryptionKeysNeedRepair) } }

    /// Displays the registration to the person. Only while a registration is open, and only with
    /// ``ASAuthorizationProviderExtensionRequestOptions/userInteractionEnabled``.
    ///
    /// - Parameter completion: Called with `nil` if it is displayed; ``dialog`` can then be used.
    public func presentRegistrationViewController(
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Task {
            completion(
                await failure { () async throws(ASAuthorizationError) in
                    try await performLater(.present)
                })
        }
    }

    /// As ``presentRegistrationViewController(completion:)``.
    public func presentRegistrationViewController() async throws {
        try await performLater(.present)
    }

    /// Prompts the person, after the registration is displayed. On Apple's systems a view
    /// controller does that.
    public var dialog: ASAuthorizationProviderExtensionDialog { .init(request) }

    // MARK: Calls

    @discardableResult
    func perform(_ call: ExtensionCall) throws(ASAuthorizationError) -> ExtensionCallResponse {
        do throws(ExtensionCallRefusal) { return try request.call(call) } catch {
            throw ASAuthorizationError(error)
        }
    }

    @discardableResult
    func performLater(
        _ call: ExtensionCall
    ) async throws(ASAuthorizationError) -> ExtensionCallResponse {
        do throws(ExtensionCallRefusal) { return try await request.perform(call) } catch {
            throw ASAuthorizationError(error)
        }
    }

    /// Calls `work` for a method that cannot report an error, and logs the error.
    @discardableResult
    func attempt(_ work: () throws -> Void) -> Bool {
        do {
            try work()
            return true
        } catch {
            ExtensionWarning.write("\(error.localizedDescription)")
            return false
        }
    }

    private func failure(
        of work: () async throws(ASAuthorizationError) -> Void
    ) async -> (any Error)? {
        do throws(ASAuthorizationError) {
            try await work()
            return nil
        } catch { return error }
    }
}

extension ASAuthorizationError {
    /// Converts the system's refusal for the extension.
    init(_ refusal: ExtensionCallRefusal) {
        let code: Code =
            switch refusal.code {
            case .notInteractive: .notInteractive
            case .canceled: .canceled
            case .notPermitted, .notOpen, .keyUnavailable, .malformed, .failed, .statementOnly,
                .notInHardware:
                .failed
            }
        self.init(code, "Not done: \(refusal.reason).")
    }
}
