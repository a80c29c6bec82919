// SPDX-License-Identifier: Apache-2.0
import GatehouseClient

/// What the app does. Who types, and where a page is shown, comes in from outside.
struct FirstSteps {
    let client: IdentityClient
    /// Shows a question, and gives what the person types.
    let ask: @Sendable (String) async throws -> String

    /// Registers a new person with an external credential. They choose a PIN.
    func register(with credentials: some CredentialProvider) async throws -> Profile {
        let flow = client.registration(.credential(credentials))
        for try await step in flow {
            switch step {
            case .createPIN(let challenge): try await choosePIN(challenge)
            case .enterPIN(let challenge): try await enterPIN(challenge)
            case .browser, .custom: break
            }
        }
        return try await flow.outcome.profile
    }

    /// Asks until the project's rules are content.
    private func choosePIN(_ challenge: CreatePINChallenge) async throws {
        var question = "Choose a PIN of \(challenge.policy.length) digits: "
        while true {
            do {
                return try challenge.respond(with: PIN(try await ask(question)))
            } catch let error as IdentityError where error.domain == .pinValidation {
                question = "Another one, \(error.reason): "
            }
        }
    }

    private func enterPIN(_ challenge: PINChallenge) async throws {
        let left = challenge.attempts.map { ", \($0.remaining) attempts left" } ?? ""
        let typed = try await ask("PIN of \(challenge.profile.username)\(left): ")
        try challenge.respond(with: PIN(typed))
    }

    /// Returns the session of a signed-in person without a prompt; `nil` if they must sign in.
    func signInSilently() async throws -> UserSession? {
        do {
            let session = try await client.session()
            _ = try await session.accessToken()
            return session
        } catch let error as IdentityError
            where [.notSignedIn, .notRegistered].contains(error.code)
        {
            return nil
        }
    }

    /// Signs a person in with the PIN, until it is correct or the last attempt has failed.
    func signIn(_ profile: Profile) async throws -> UserSession {
        let flow = client.authenticate(profile.id)
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge): try await enterPIN(challenge)
            case .authenticator(let challenge): try challenge.respond(prompt: "Sign in")
            }
        }
        return try await flow.outcome
    }

    /// Registers the person who signs in on the provider's page. They choose a PIN.
    func registerInBrowser(_ browser: some BrowserPresenter) async throws -> Profile {
        let flow = client.register()
        for try await step in flow {
            switch step {
            case .browser(let challenge): try await challenge.present(with: browser)
            case .createPIN(let challenge): try await choosePIN(challenge)
            case .enterPIN(let challenge): try await enterPIN(challenge)
            case .custom: break
            }
        }
        return try await flow.outcome.profile
    }

    /// Away from this installation, here in any case.
    func remove(_ profile: Profile) async throws -> String {
        switch try await client.remove(profile.id) {
        case .complete: "\(profile.username) is removed."
        case .localOnly(let error):
            "\(profile.username) is removed here; the provider does not know: \(error.reason)"
        }
    }
}
