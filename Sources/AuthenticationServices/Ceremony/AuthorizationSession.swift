// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation

/// One authorization, from the checks to the credential.
struct AuthorizationSession: Sendable {
    private struct Candidate: Sendable {
        let request: PreparedRequest
        let caller: CeremonyCaller
        let authenticator: any CredentialAuthenticator
    }

    let requests: [PreparedRequest]
    let isImmediate: Bool
    let system: AuthorizationSystem

    /// - Parameters:
    ///   - presenter: Not used before the app's authorization is checked.
    ///   - cancel: Called if the person cancels.
    func perform(
        presenter: any AuthorizationPresenter, cancel: @escaping @Sendable () -> Void
    ) async throws(ASAuthorizationError) -> ASAuthorization {
        let candidates = try await candidates()
        let sheet = Self.sheet(for: candidates)
        do { try await presenter.begin(sheet, cancel: cancel) } catch {
            throw ASAuthorizationError(.notInteractive, "Interaction is not possible: \(error).")
        }
        do throws(ASAuthorizationError) {
            let candidate = try await choose(candidates, presenter)
            let authorization = try await run(candidate, presenter)
            await presenter.end(.succeeded(sheet.purpose))
            return authorization
        } catch {
            let error = Task.isCancelled ? Self.canceled : error
            await presenter.end(
                error.code == .canceled ? .canceled : .failed(error.localizedDescription))
            throw error
        }
    }

    static let canceled = ASAuthorizationError(.canceled, "The authorization was cancelled.")

    /// The requests that the app may make and that something here can serve.
    private func candidates() async throws(ASAuthorizationError) -> [Candidate] {
        guard !requests.isEmpty else {
            throw ASAuthorizationError(.notHandled, "None of the requests is supported here.")
        }
        var candidates: [Candidate] = []
        for request in requests {
            try request.check()
            let caller = try await system.callers.caller(
                for: request.relyingPartyIdentifier, clientDataJSON: request.browserClientDataJSON)
            let authenticator = try system.authenticator(for: request)
            if isImmediate, await !Self.isAtHand(request, authenticator) { continue }
            candidates.append(
                Candidate(request: request, caller: caller, authenticator: authenticator))
        }
        if Task.isCancelled { throw Self.canceled }
        guard !candidates.isEmpty else {
            throw ASAuthorizationError(.canceled, "No credential is available at once.")
        }
        return candidates
    }

    /// A security key is never at hand: it must be found, plugged in, touched.
    private static func isAtHand(
        _ request: PreparedRequest, _ authenticator: any CredentialAuthenticator
    ) async -> Bool {
        guard request.authenticator == .platform else { return false }
        guard case .assertion(let options) = request.ceremony else { return true }
        return await authenticator.hasCredential(
            relyingParty: request.relyingPartyIdentifier, allowed: options.allowCredentials)
    }

    private static func sheet(for candidates: [Candidate]) -> AuthorizationSheet {
        let request = candidates[0].request
        let purpose: AuthorizationSheet.Purpose =
            switch request.ceremony {
            case .registration(let options):
                .registration(account: options.user.name ?? "", person: options.user.displayName)
            case .assertion: .signIn
            }
        return AuthorizationSheet(
            relyingParty: request.relyingPartyIdentifier, purpose: purpose,
            usesSecurityKey: candidates.contains { $0.request.authenticator == .securityKey })
    }

    private func choose(
        _ candidates: [Candidate], _ presenter: any AuthorizationPresenter
    ) async throws(ASAuthorizationError) -> Candidate {
        guard candidates.count > 1 else { return candidates[0] }
        let names = candidates.map { candidate in
            candidate.request.authenticator == .platform
                ? "Passkey on this computer" : "Security key"
        }
        guard let index = await presenter.choose("How do you want to continue?", from: names),
            candidates.indices.contains(index)
        else { throw Self.canceled }
        return candidates[index]
    }

    private func run(
        _ candidate: Candidate, _ presenter: any AuthorizationPresenter
    ) async throws(ASAuthorizationError) -> ASAuthorization {
        let client: any CredentialClient
        do {
            client = try await candidate.authenticator.client(
                interaction: PresentedInteraction(presenter: presenter))
        } catch {
            throw ASAuthorizationError(.failed, "The authenticator cannot be used: \(error).")
        }
        do throws(SecurityKeyError) {
            let credential = try await Self.credential(candidate, client)
            return ASAuthorization(
                provider: candidate.request.provider, credential: credential)
        } catch { throw ASAuthorizationError(error) }
    }

    private static func credential(
        _ candidate: Candidate, _ client: any CredentialClient
    ) async throws(SecurityKeyError) -> any ASAuthorizationCredential & Sendable {
        let isPlatform = candidate.request.authenticator == .platform
        switch candidate.request.ceremony {
        case .registration(let options):
            let outcome = try await client.register(options, caller: candidate.caller)
            return isPlatform
                ? ASAuthorizationPlatformPublicKeyCredentialRegistration(outcome)
                : ASAuthorizationSecurityKeyPublicKeyCredentialRegistration(outcome)
        case .assertion(let options):
            let outcome = try await client.signIn(options, caller: candidate.caller)
            return isPlatform
                ? ASAuthorizationPlatformPublicKeyCredentialAssertion(outcome)
                : ASAuthorizationSecurityKeyPublicKeyCredentialAssertion(outcome)
        }
    }
}
