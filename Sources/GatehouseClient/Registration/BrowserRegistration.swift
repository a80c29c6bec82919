// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import UserClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Registers this installation for a person who signs in on a page of the provider
/// (`docs/protocols/browser-registration.md`): the code, the tokens and the installation are bound
/// to one key. Each state is stored before the request that depends on it.
struct BrowserRegistration: Sendable {
    let service: RegistrationService
    let id: UUID
    let prompter: FlowPrompter<RegistrationStep>
    /// `nil` if the app named none, or the registration is resumed.
    var provider: IdentityProvider?

    private var dependencies: ClientDependencies { service.dependencies }
    private var profiles: ProfileStore { dependencies.profiles }
    private var store: PendingRegistrationStore {
        PendingRegistrationStore(id: id, dependencies: dependencies)
    }

    /// Starts, or resumes the registration with the same identifier.
    func run(_ options: SignInOptions) async throws -> RegistrationOutcome {
        // It succeeded before, and the app has not received the result.
        if try await store.isRegistered() { return try await register(nil) }
        try await verifyOffer()
        return try await advance(
            store.begin(scopes: options.scopes, parameters: parameters(options)))
    }

    /// Resumes the registration with a stored record.
    func resume() async throws -> RegistrationOutcome {
        if try await store.isRegistered() { return try await register(nil) }
        guard let pending = try await store.read(), pending.browser != nil else {
            throw PendingRegistrationStore.expired
        }
        return try await advance(pending)
    }

    /// Resumes with the response of a browser.
    func resume(with response: BrowserChallenge.Response) async throws -> RegistrationOutcome {
        try await register(redeem(response))
    }

    private func advance(_ pending: PendingRecord) async throws -> RegistrationOutcome {
        let now = dependencies.clock.now
        guard pending.isUncertain || pending.browser?.isProven(at: now) == true else {
            let isFresh = pending.browser?.token == nil && pending.browser?.isOpen(at: now) == true
            let next = if isFresh { pending } else { try await store.restart(pending) }
            return try await signInAndRegister(next)
        }
        do {
            return try await register(pending)
        } catch let error as IdentityError where Self.isAboutEvidence(error) {
            // The provider has no registration with this key, and needs newer evidence.
            return try await signInAndRegister(store.restart(pending))
        }
    }

    private func signInAndRegister(_ pending: PendingRecord) async throws -> RegistrationOutcome {
        try await register(redeem(await response(to: pending)))
    }

    /// The refusals of the evidence. A repeated registration is found before the evidence is
    /// verified.
    private static func isAboutEvidence(_ error: IdentityError) -> Bool {
        ["not_signed_in", "token_expired", "token_used", "token_refused"]
            .contains(error.serverCode)
    }

    // MARK: Before the browser

    private func parameters(_ options: SignInOptions) -> [String: String] {
        var options = options
        let longest = BrowserTransaction.maximumAge
        options.maxAge = min(options.maxAge ?? longest, longest)
        if let provider { options.identityProvider = provider.upstreamName }
        return options.parameters
    }

    /// Reports an incomplete configuration before a page opens.
    private func verifyOffer() async throws {
        let connection = dependencies.connection
        guard
            dependencies.configuration.scopes.contains(ClientConfiguration.registrationScope)
        else {
            throw IdentityError(
                .registration, .configurationInvalid,
                "scopes lacks registration: add it, or call signIn(with:) for a person who is not "
                    + "registered")
        }
        func isOffered(_ documents: ProviderDocuments) -> Bool {
            documents.registrationMethods?.contains(RegistrationMethod.oidc.rawValue) ?? true
        }
        var documents = try await connection.currentDocuments()
        if !isOffered(documents) { documents = try await connection.fetch() }
        guard isOffered(documents), documents.supportsDPoP else {
            throw IdentityError(
                .registration, .methodNotSupported,
                "the project does not offer oidc: add it to registration.methods, or call "
                    + "signIn(with:)")
        }
    }

    // MARK: The browser

    /// Displays the page of the provider, and returns the response.
    private func response(
        to pending: PendingRecord
    ) async throws -> BrowserChallenge.Response {
        do {
            let page = try await request(for: pending)
            return try await prompter.prompt { continuation in
                .browser(
                    BrowserChallenge(
                        request: page, redirectURI: dependencies.configuration.redirectURI,
                        continuation: continuation))
            }
        } catch {
            await store.abandon(after: error)
            throw error
        }
    }

    private func request(for pending: PendingRecord) async throws -> BrowserRequest {
        guard let browser = pending.browser else { throw PendingRegistrationStore.expired }
        let key = try await store.key(of: pending)
        let documents = try await dependencies.connection.currentDocuments()
        return BrowserRequest(
            dependencies.browserSignIn(documents, secrets: browser.secrets),
            scope: scope(browser.scopes),
            keyThumbprint: try key.publicKey.jwk().thumbprintText, options: browser.parameters)
    }

    /// The scopes of the page. The tokens for staying signed in are those of the installation.
    private func scope(_ requested: [String]?) -> String {
        let needed = ["openid", ClientConfiguration.registrationScope]
        let further = (requested ?? dependencies.configuration.scopes).filter {
            $0 != "offline_access" && !needed.contains($0)
        }
        return (needed + further).joined(separator: " ")
    }

    /// Exchanges the code for an access token that is bound to the key, and stores it.
    private func redeem(_ response: BrowserChallenge.Response) async throws -> PendingRecord {
        do {
            return try await profiles.store.withLock(PendingRecord.lock(id)) {
                guard var pending = try await store.read(), let browser = pending.browser else {
                    throw PendingRegistrationStore.expired
                }
                // Another task has redeemed the code.
                guard browser.token == nil else { return pending }
                let redeemed = try await token(response, browser, pending)
                pending.browser?.token = redeemed
                pending.browser?.provenAt = dependencies.clock.now
                try await store.write(pending)
                return pending
            }
        } catch {
            await store.abandon(after: error)
            throw error
        }
    }

    private func token(
        _ response: BrowserChallenge.Response, _ browser: BrowserTransaction,
        _ pending: PendingRecord
    ) async throws -> Secret {
        let connection = dependencies.connection
        let ceremony = dependencies.browserSignIn(
            try await connection.currentDocuments(), secrets: browser.secrets)
        let (form, nonce) = try ceremony.redemption(
            of: response.parameters, redirectURI: response.redirectURI)
        let endpoint = TokenEndpointClient(
            connection: connection, key: try await store.key(of: pending))
        let tokens = try await endpoint.request(
            form, expecting: .init(nonce: nonce), in: .registration)
        guard tokens.isBoundToKey else {
            throw ProviderConnection.invalid("the access token is not bound to the key")
        }
        return tokens.accessToken
    }

    // MARK: The installation

    /// - Parameter pending: `nil` if the registration succeeded before.
    private func register(_ pending: PendingRecord?) async throws -> RegistrationOutcome {
        let token = pending?.browser?.token?.revealText() ?? ""
        let request = RegistrationRequest.evidence(.oidc) { _ in
            RegistrationEvidence(["access_token": token])
        }
        var outcome = try await service.register(
            request, id, with: prompter, scopes: pending?.browser?.scopes)
        outcome.identityProvider = provider
        return outcome
    }
}

extension IdentityProvider {
    /// The value of `identity_provider`; `nil` for the project's own page.
    fileprivate var upstreamName: String? { kind == .upstream ? id : nil }
}
