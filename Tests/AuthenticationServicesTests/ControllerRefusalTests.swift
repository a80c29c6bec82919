// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation
import Testing
import WebAuthn

@MainActor @Suite(.timeLimit(.minutes(5))) struct ControllerRefusalTests {
    @Test("A second controller fails while the first is at work; the first is not disturbed")
    func second() async throws {
        let (prompts, prompt) = AsyncStream<Void>.makeStream()
        let system = Play.system(keys: .absent)
        let presenter = PlayedPresenter { if $0.kind == .insertKey { prompt.yield() } }
        let first = Play.run([Play.assertion()], system, presenter)
        for await _ in prompts { break }
        let second = Play.run([Play.assertion()], system, PlayedPresenter())
        #expect(await second.app.code() == .failed)
        #expect(first.app.results.isEmpty)
        first.controller.performRequests()
        first.controller.cancel()
        #expect(await first.app.code() == .failed)
        while first.app.results.count < 2 { await Task.yield() }
        let third = Play.run(
            [Play.registration()],
            Play.system(keys: try PlayedKeys(), slot: system.slot), PlayedPresenter())
        _ = try await third.app.result()
    }

    @Test("An app that may not act for the domain fails, and nothing is shown")
    func domain() async throws {
        let presenter = PlayedPresenter()
        let refusal = ASAuthorizationError(.failed, userInfo: [NSLocalizedDescriptionKey: "no"])
        let (_, app) = Play.run(
            [Play.assertion()],
            Play.system(keys: try PlayedKeys(), authority: PlayedAuthority(refusal: refusal)),
            presenter)
        #expect(await app.code() == .failed)
        #expect(presenter.sheets.isEmpty)
        #expect(presenter.outcomes.isEmpty)
    }

    @Test("Without a presenter it is notInteractive")
    func nobody() async throws {
        let (_, app) = Play.run(
            [Play.assertion()], Play.system(keys: try PlayedKeys()),
            PlayedPresenter(isAbsent: true))
        #expect(await app.code() == .notInteractive)
    }

    @Test("No request at all, and passkeys where there are none, are notHandled")
    func nothing() async throws {
        let system = Play.system(keys: try PlayedKeys())
        #expect(await Play.run([], system, PlayedPresenter()).app.code() == .notHandled)
        let passkey = ASAuthorizationPlatformPublicKeyCredentialProvider(
            relyingPartyIdentifier: "example.com"
        ).createCredentialAssertionRequest(challenge: Play.challenge)
        #expect(await Play.run([passkey], system, PlayedPresenter()).app.code() == .notHandled)
    }

    @Test("Suggestions above a keyboard are notHandled")
    func autoFill() async throws {
        let app = PlayedApp(PlayedPresenter())
        let controller = ASAuthorizationController(
            authorizationRequests: [Play.assertion()],
            system: Play.system(keys: try PlayedKeys()))
        controller.delegate = app
        controller.performAutoFillAssistedRequests()
        #expect(await app.code() == .notHandled)
    }

    @Test("A security key is never available at once: canceled, with nothing shown")
    func immediate() async throws {
        let presenter = PlayedPresenter()
        let (_, app) = Play.run(
            [Play.assertion()], Play.system(keys: try PlayedKeys()), presenter,
            options: .preferImmediatelyAvailableCredentials)
        #expect(await app.code() == .canceled)
        #expect(presenter.sheets.isEmpty)
    }

    @Test(
        "Requests that no relying party could mean fail before anything is shown", arguments: 0..<6)
    func malformed(_ fault: Int) async throws {
        let request = Play.registration()
        var requests: [ASAuthorizationRequest] = [request]
        switch fault {
        case 0: request.challenge = Data()
        case 1: request.userID = Data()
        case 2: request.userID = Data(repeating: 1, count: 65)
        case 3: request.credentialParameters = []
        case 4:
            let assertion = Play.assertion()
            assertion.relyingPartyIdentifier = "https://example.com"
            requests = [assertion]
        default:
            let assertion = Play.assertion()
            assertion.challenge = Data()
            requests = [assertion]
        }
        let presenter = PlayedPresenter()
        let (_, app) = Play.run(requests, Play.system(keys: try PlayedKeys()), presenter)
        #expect(await app.code() == .failed)
        #expect(presenter.sheets.isEmpty)
    }

    @Test("The controller lives while it works, the delegate is not kept alive")
    func lifetimes() async throws {
        let system = Play.system(keys: .absent)
        weak var weakController: ASAuthorizationController?
        weak var weakApp: PlayedApp?
        let (prompts, prompt) = AsyncStream<Void>.makeStream()
        do {
            let presenter = PlayedPresenter { if $0.kind == .insertKey { prompt.yield() } }
            let (controller, app) = Play.run([Play.assertion()], system, presenter)
            (weakController, weakApp) = (controller, app)
            for await _ in prompts { break }
        }
        #expect(weakApp == nil)
        #expect(weakController != nil)
        weakController?.cancel()
        while weakController != nil { await Task.yield() }
    }

    @Test("What the app changes after it has asked changes nothing")
    func snapshot() async throws {
        let request = Play.registration()
        let (_, app) = Play.run(
            [request], Play.system(keys: try PlayedKeys()), PlayedPresenter())
        request.challenge = Data(repeating: 9, count: 32)
        let credential = try #require(
            try await app.result().credential as? any ASPublicKeyCredential)
        let data = try ClientData(json: Array(credential.rawClientDataJSON))
        #expect(data.challenge == Play.challenge.base64URL)
    }

    @Test("Errors are NSErrors of Apple's domain and numbers")
    func bridging() {
        let error: any Error = ASAuthorizationError(
            .canceled, userInfo: [NSLocalizedDescriptionKey: "Enough."])
        let bridged = error as NSError
        #expect(bridged.domain == "com.apple.AuthenticationServices.AuthorizationError")
        #expect(bridged.domain == ASAuthorizationErrorDomain)
        #expect(bridged.code == 1001)
        #expect(bridged.localizedDescription == "Enough.")
        let codes: [ASAuthorizationError.Code] = [
            .unknown, .canceled, .invalidResponse, .notHandled, .failed, .notInteractive,
            .matchedExcludedCredential, .credentialImport, .credentialExport,
            .preferSignInWithApple, .deviceNotConfiguredForPasskeyCreation,
        ]
        #expect(codes.map(\.rawValue) == Array(1000...1010))
        if case ASAuthorizationError.failed = error { Issue.record("another code") }
    }
}

extension Data {
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
