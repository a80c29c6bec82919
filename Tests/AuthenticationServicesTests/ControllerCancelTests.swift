// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct ControllerCancelTests {
    @Test(
        "Wherever the person gives up, it is canceled, once",
        arguments: PlayedPresenter.GivingUp.allCases)
    func person(_ place: PlayedPresenter.GivingUp) async throws {
        let keys = try PlayedKeys(isTouched: place != .atTouch)
        var requests: [ASAuthorizationRequest] = [Play.registration()]
        if place == .atChoice { requests.append(Play.registration()) }
        (requests[0] as? ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest)?
            .userVerificationPreference = place == .atPIN ? .required : .discouraged
        let presenter = PlayedPresenter(givingUp: place)
        let (controller, app) = Play.run(requests, Play.system(keys: keys), presenter)
        #expect(await app.code() == .canceled)
        controller.cancel()
        await Task.yield()
        #expect(app.results.count == 1)
        #expect(presenter.outcomes == [.canceled])
    }

    @Test("The app cancels while the key waits for a touch")
    func appAtTouch() async throws {
        let (touches, touch) = AsyncStream<Void>.makeStream()
        let presenter = PlayedPresenter { if $0.kind == .touch { touch.yield() } }
        let request = Play.registration()
        request.userVerificationPreference = .discouraged
        let (controller, app) = Play.run(
            [request], Play.system(keys: try PlayedKeys(isTouched: false)), presenter)
        for await _ in touches { break }
        controller.cancel()
        #expect(await app.code() == .canceled)
        #expect(app.results.count == 1)
    }

    @Test("The app cancels while no key is there")
    func appWithoutKey() async throws {
        let (prompts, prompt) = AsyncStream<Void>.makeStream()
        let presenter = PlayedPresenter { if $0.kind == .insertKey { prompt.yield() } }
        let (controller, app) = Play.run(
            [Play.assertion()], Play.system(keys: .absent), presenter)
        for await _ in prompts { break }
        controller.cancel()
        #expect(await app.code() == .canceled)
    }

    @Test("The app cancels while its domain is asked, and nothing is shown")
    func appAtDomain() async throws {
        let presenter = PlayedPresenter()
        let system = Play.system(
            keys: try PlayedKeys(), authority: PlayedAuthority(isSlow: true))
        let (controller, app) = Play.run([Play.assertion()], system, presenter)
        controller.cancel()
        #expect(await app.code() == .canceled)
        #expect(presenter.sheets.isEmpty)
    }

    @Test("Cancelling before or after does nothing")
    func idle() async throws {
        let system = Play.system(keys: try PlayedKeys())
        let app = PlayedApp(PlayedPresenter())
        let controller = ASAuthorizationController(
            authorizationRequests: [Play.registration()], system: system)
        controller.delegate = app
        controller.presentationContextProvider = app
        controller.cancel()
        controller.performRequests()
        _ = try await app.result()
        controller.cancel()
        await Task.yield()
        #expect(app.results.count == 1)
    }

    @Test("Cancelling the task of the async form cancels the request")
    func asynchronous() async throws {
        let (prompts, prompt) = AsyncStream<Void>.makeStream()
        let presenter = PlayedPresenter { if $0.kind == .insertKey { prompt.yield() } }
        let controller = AuthorizationController(
            presentationAnchor: ASPresentationAnchor(presenter: presenter),
            system: Play.system(keys: .absent))
        let task = Task { try await controller.performRequest(Play.assertion()) }
        for await _ in prompts { break }
        task.cancel()
        await #expect { try await task.value } throws: { error in
            if case ASAuthorizationError.canceled = error { true } else { false }
        }
    }
}
