// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Synchronization

/// A controller that performs authorization requests and calls its delegate once with the result.
///
/// Only one controller of a process can be active; another one fails. An active controller is
/// retained; its delegate is not.
///
/// On Apple's systems this name is the system framework's.
///
/// `@unchecked Sendable`: the two weak references are read and written under `lock`; `requests`
/// never changes, and its objects are read only in ``performRequests(options:)`` of the caller, who
/// owns them; everything else is a `Mutex` or a constant value.
open class ASAuthorizationController: NSObject, @unchecked Sendable {
    /// The options of performing requests.
    public struct RequestOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// - Parameter rawValue: the bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Only what this machine has at once. When it has nothing, nothing is shown, and the
        /// request ends with ``ASAuthorizationError/Code/canceled``.
        public static let preferImmediatelyAvailableCredentials = Self(rawValue: 1)
    }

    private let requests: [ASAuthorizationRequest]
    private let system: AuthorizationSystem
    private let running = Mutex<Task<Void, Never>?>(nil)
    private let lock = NSLock()
    private weak var weakDelegate: (any ASAuthorizationControllerDelegate)?
    private weak var weakProvider: (any ASAuthorizationControllerPresentationContextProviding)?
    private let methods = Mutex<[ASAuthorizationCustomMethod]>([])

    /// - Parameter authorizationRequests: alternatives, of which the person uses one.
    public convenience init(authorizationRequests: [ASAuthorizationRequest]) {
        self.init(authorizationRequests: authorizationRequests, system: .current)
    }

    package init(authorizationRequests: [ASAuthorizationRequest], system: AuthorizationSystem) {
        requests = authorizationRequests
        self.system = system
    }

    /// The requests that the controller was made with.
    public var authorizationRequests: [ASAuthorizationRequest] { requests }

    /// The delegate that receives the result. Not retained.
    public weak var delegate: (any ASAuthorizationControllerDelegate)? {
        get { lock.withLock { weakDelegate } }
        set { lock.withLock { weakDelegate = newValue } }
    }

    /// The provider of the presentation anchor. Not retained. Without it, the terminal is used.
    public weak var presentationContextProvider:
        (any ASAuthorizationControllerPresentationContextProviding)?
    {
        get { lock.withLock { weakProvider } }
        set { lock.withLock { weakProvider = newValue } }
    }

    /// Custom methods of the app. They are stored and not offered on Linux.
    public var customAuthorizationMethods: [ASAuthorizationCustomMethod] {
        get { methods.withLock { $0 } }
        set { methods.withLock { $0 = newValue } }
    }

    /// Performs the requests.
    public func performRequests() { performRequests(options: []) }

    /// Performs the requests.
    public func performRequests(options: RequestOptions) {
        perform { [self] in
            AuthorizationSession(
                requests: requests.compactMap(\.prepared),
                isImmediate: options.contains(.preferImmediatelyAvailableCredentials),
                system: system)
        }
    }

    /// Offers passkeys above the keyboard, if there is such a location. On Linux there is none, so
    /// the delegate receives ``ASAuthorizationError/Code/notHandled``.
    public func performAutoFillAssistedRequests() {
        complete(
            .failure(
                ASAuthorizationError(.notHandled, "This system has no place to suggest passkeys.")))
    }

    /// Ends what is at work, with ``ASAuthorizationError/Code/canceled``. Does nothing otherwise.
    public func cancel() { running.withLock { $0 }?.cancel() }

    private func perform(_ makeRun: () -> AuthorizationSession) {
        guard system.slot.reserve() else {
            let problem = "Another authorization of this app is in progress."
            return complete(.failure(ASAuthorizationError(.failed, problem)))
        }
        let run = makeRun()
        running.withLock { running in
            running = Task { @MainActor in
                let result = await result(of: run)
                self.running.withLock { $0 = nil }
                system.slot.release()
                notifyDelegate(result)
            }
        }
    }

    @MainActor private func result(
        of run: AuthorizationSession
    ) async -> Result<ASAuthorization, ASAuthorizationError> {
        let anchor =
            presentationContextProvider?.presentationAnchor(for: self) ?? ASPresentationAnchor()
        do throws(ASAuthorizationError) {
            let authorization = try await run.perform(presenter: anchor.presenter) { [weak self] in
                self?.cancel()
            }
            return .success(authorization)
        } catch { return .failure(error) }
    }

    private func complete(_ result: Result<ASAuthorization, ASAuthorizationError>) {
        Task { @MainActor in notifyDelegate(result) }
    }

    @MainActor private func notifyDelegate(_ result: Result<ASAuthorization, ASAuthorizationError>)
    {
        switch result {
        case .success(let authorization):
            delegate?.authorizationController(
                controller: self, didCompleteWithAuthorization: authorization)
        case .failure(let error):
            delegate?.authorizationController(controller: self, didCompleteWithError: error)
        }
    }
}
