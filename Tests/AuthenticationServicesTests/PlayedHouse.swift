// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import CTAP
import Foundation
import Support

/// Lets every app act for every domain, or none.
struct PlayedAuthority: CallerAuthorizer {
    var refusal: ASAuthorizationError?
    var isSlow = false

    func caller(
        for relyingParty: String, clientDataJSON: [UInt8]?
    ) async throws(ASAuthorizationError) -> CeremonyCaller {
        if let refusal { throw refusal }
        // Until it is cancelled.
        while isSlow, !Task.isCancelled { await Task.yield() }
        return clientDataJSON.map { .browser(clientDataJSON: $0) }
            ?? .app(associatedDomains: [relyingParty])
    }
}

/// Security keys that are the software authenticator of this process.
struct PlayedKeys: CredentialAuthenticator {
    struct Source: AuthenticatorSource {
        let devices: [any AuthenticatorDevice]

        func snapshots() -> AsyncStream<[any AuthenticatorDevice]> {
            AsyncStream { $0.yield(devices) }
        }
    }

    let authenticators: [SoftwareAuthenticator]

    /// A key that is touched at once, or never when `isTouched` is false.
    init(
        isTouched: Bool = true,
        configure: (inout AuthenticatorConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = AuthenticatorConfiguration()
        configure(&configuration)
        let gesture = AskingGesture { _ in
            while !isTouched, !Task.isCancelled { await Task.yield() }
            return .approved
        }
        authenticators = [
            try SoftwareAuthenticator(
                store: MemoryAuthenticatorStore(), configuration: configuration, gesture: gesture,
                clock: ManualClock(), random: SeededRandom())
        ]
    }

    private init(authenticators: [SoftwareAuthenticator]) { self.authenticators = authenticators }

    /// Nothing is plugged in.
    static let absent = PlayedKeys(authenticators: [])

    func hasCredential(relyingParty: String, allowed: [CTAPCredentialDescriptor]) async -> Bool {
        false
    }

    func client(interaction: any SecurityKeyInteraction) async throws -> any CredentialClient {
        let devices = authenticators.enumerated().map { index, authenticator in
            TouchedDevice(AuthenticatorInProcess(authenticator, name: "Key \(index + 1)"))
        }
        return SecurityKeyClient(
            source: Source(devices: devices), interaction: interaction, random: SeededRandom())
    }
}

/// Says that it waits for a touch as soon as it is asked something, as keys on USB do.
private struct TouchedDevice: AuthenticatorDevice {
    let device: AuthenticatorInProcess
    var description: AuthenticatorDescription { device.description }

    init(_ device: AuthenticatorInProcess) { self.device = device }

    func open() async throws(TransportError) -> any AuthenticatorTransport {
        Transport(inner: try await device.open())
    }

    private struct Transport: AuthenticatorTransport {
        let inner: any AuthenticatorTransport
        var speaksCTAP2: Bool { inner.speaksCTAP2 }
        var speaksU2F: Bool { inner.speaksU2F }

        func exchange(
            _ message: AuthenticatorMessage, limit: Duration,
            keepalive: @escaping @Sendable (CTAPHIDKeepalive) -> Void
        ) async throws(TransportError) -> [UInt8] {
            if case .ctap2(let frame) = message, [1, 2, 7, 11].contains(frame.first) {
                keepalive(.userPresenceNeeded)
            }
            return try await inner.exchange(message, limit: limit, keepalive: keepalive)
        }

        func cancel() { inner.cancel() }
        func close() { inner.close() }
    }
}

/// An app's delegate that counts its calls, and provides the presentation anchor.
@MainActor
final class PlayedApp: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
{
    private let presenter: PlayedPresenter
    private(set) var results: [Result<ASAuthorization, any Error>] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ presenter: PlayedPresenter) { self.presenter = presenter }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        ASPresentationAnchor(presenter: presenter)
    }

    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) { took(.success(authorization)) }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithError error: any Error
    ) { took(.failure(error)) }

    private func took(_ result: Result<ASAuthorization, any Error>) {
        results.append(result)
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    /// Waits for the first call.
    func result() async throws -> ASAuthorization {
        if results.isEmpty { await withCheckedContinuation { waiters.append($0) } }
        return try results[0].get()
    }

    func code() async -> ASAuthorizationError.Code? {
        do {
            _ = try await result()
            return nil
        } catch { return (error as? ASAuthorizationError)?.code }
    }
}

/// What the tests of the controller share.
enum Play {
    static let relyingParty = "example.com"
    static let challenge = Data(repeating: 7, count: 32)

    static func system(
        keys: PlayedKeys, authority: PlayedAuthority = PlayedAuthority(),
        platform: (any CredentialAuthenticator)? = nil,
        slot: AuthorizationSlot = AuthorizationSlot()
    ) -> AuthorizationSystem {
        AuthorizationSystem(
            securityKeys: keys, platform: platform, callers: authority, slot: slot)
    }

    static func registration(
        resident: Bool = false
    ) -> ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest {
        let provider = ASAuthorizationSecurityKeyPublicKeyCredentialProvider(
            relyingPartyIdentifier: relyingParty)
        let request = provider.createCredentialRegistrationRequest(
            challenge: challenge, displayName: "Anne Johnson", name: "annejohnson1@icloud.com",
            userID: Data("anne_johnson".utf8))
        request.credentialParameters = [.init(algorithm: .ES256)]
        if resident { request.residentKeyPreference = .required }
        return request
    }

    static func assertion() -> ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest {
        ASAuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: relyingParty)
            .createCredentialAssertionRequest(challenge: challenge)
    }

    @MainActor static func run(
        _ requests: [ASAuthorizationRequest], _ system: AuthorizationSystem,
        _ presenter: PlayedPresenter,
        options: ASAuthorizationController.RequestOptions = []
    ) -> (controller: ASAuthorizationController, app: PlayedApp) {
        let app = PlayedApp(presenter)
        let controller = ASAuthorizationController(authorizationRequests: requests, system: system)
        controller.delegate = app
        controller.presentationContextProvider = app
        controller.performRequests(options: options)
        return (controller, app)
    }
}
