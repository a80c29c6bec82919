// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import Primitives
import UserClient

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension IdentityClient {
    /// Registers this installation with evidence, and with it a person. Asks nobody anything.
    ///
    /// Somebody who is registered here already keeps their profile. Sign in afterwards with
    /// ``signIn(_:as:)``.
    ///
    /// - Parameters:
    ///   - request: With what evidence.
    ///   - idempotencyKey: Names this registration. When it fails without a clear answer, or the
    ///     app is ended, do it again with the same one: see ``pendingRegistrations``.
    /// - Throws: ``IdentityError`` of the domain `registration`.
    @discardableResult
    public nonisolated func register(
        _ request: RegistrationRequest, idempotencyKey: UUID = UUID()
    ) async throws -> Registration {
        try await IdentityError.surfacing(.registration) {
            let result = try await RegistrationCeremony(
                system: system, request: request, id: idempotencyKey, choosePIN: nil
            ).run()
            return Registration(
                profile: result.profile.shown, isNewProfile: result.isNewProfile,
                method: request.method, idempotencyKey: idempotencyKey)
        }
    }

    /// Registers with evidence, and asks for a PIN where the project has them. The person is signed
    /// in when it is done.
    public nonisolated func registration(
        _ request: RegistrationRequest, idempotencyKey: UUID = UUID()
    ) -> RegistrationFlow {
        RegistrationFlow(
            runner: FlowRunner(.registration) { [self] asker in
                try await IdentityError.surfacing(.registration) {
                    try await register(request, idempotencyKey, asking: asker)
                }
            })
    }

    /// Registers with the attestor that the client was made with.
    public nonisolated func registrationWithAttestation(
        idempotencyKey: UUID = UUID()
    ) throws -> RegistrationFlow {
        guard let attestor = system.attestor else {
            throw IdentityError(
                .registration, .configurationInvalid, "the client was made without an attestor")
        }
        return registration(.attested(by: attestor), idempotencyKey: idempotencyKey)
    }

    /// Registers somebody with a page of the provider in a browser, where they sign in or make an
    /// account. The profile is theirs afterwards, and they are signed in.
    ///
    /// Somebody who is registered here already keeps their profile.
    ///
    /// - Parameters:
    ///   - scopes: What to ask for, instead of what the configuration says.
    ///   - persistence: Whether anything is kept: see ``Persistence``.
    public nonisolated func register(
        scopes: [String]? = nil, persistence: Persistence = .kept
    ) -> RegistrationFlow {
        RegistrationFlow(
            runner: FlowRunner(.registration) { [self] asker in
                try await IdentityError.surfacing(.registration) {
                    try await registerInBrowser(scopes, persistence, asking: asker)
                }
            })
    }

    /// Whether a registration leaves something behind.
    public enum Persistence: Sendable, Hashable {
        /// A profile, which is there after a restart.
        case kept
        /// Nothing: profile, key and tokens are gone with the session. For a guest, or a kiosk.
        case ephemeral
    }

    /// Registrations whose end is not known. Do each again with its idempotency key, and with
    /// evidence for the same person. One whose record is damaged hinders none of the others.
    ///
    /// - Throws: ``IdentityError/Code/storageDamaged`` when there are some and none can be read.
    public nonisolated var pendingRegistrations: [PendingRegistration] {
        get async throws {
            try await IdentityError.surfacing(.registration) {
                var found: [PendingRegistration] = []
                var damage: StoreError?
                for name in try await system.book.store.names() {
                    guard let id = PendingRecord.id(name) else { continue }
                    do {
                        guard let pending = try await PendingRecord.read(name, in: system.book),
                            pending.isAt(system.book.issuer)
                        else { continue }
                        found.append(
                            PendingRegistration(
                                idempotencyKey: id, method: .init(rawValue: pending.method)))
                    } catch let error as StoreError where error.isDamage { damage = error }
                }
                if found.isEmpty, let damage { throw damage }
                return found.sorted { $0.idempotencyKey.uuidString < $1.idempotencyKey.uuidString }
            }
        }
    }

    // MARK: How

    nonisolated func register(
        _ request: RegistrationRequest, _ id: UUID, asking asker: FlowAsker<RegistrationStep>,
        _ dialogue: CustomProviderClientFlow? = nil
    ) async throws -> RegistrationOutcome {
        let result = try await RegistrationCeremony(
            system: system, request: request, id: id,
            choosePIN: { policy in
                try await asker.ask { .createPIN(CreatePINChallenge(policy: policy, slot: $0)) }
            }, dialogue: dialogue
        ).run()
        let session = try await signIn(result, asking: asker)
        return RegistrationOutcome(
            profile: result.profile.shown, session: session, isNewProfile: result.isNewProfile,
            providerAnswer: result.providerAnswer)
    }

    /// The person has just registered, and need not be asked again unless the app was ended.
    private nonisolated func signIn(
        _ result: RegistrationCeremony.Result, asking asker: FlowAsker<RegistrationStep>
    ) async throws -> UserSession {
        guard result.profile.hasPIN else {
            return try await signInWithKey(result.profile, in: .registration)
        }
        if let secret = result.secret,
            let tokens = try await PINSignIn(system: system, profile: result.profile)
                .run(with: secret)
        {
            return try await signedIn(result.profile, tokens)
        }
        return try await signedInWithPIN(result.profile, asking: asker) { .enterPIN($0) }
    }

    private nonisolated func registerInBrowser(
        _ scopes: [String]?, _ persistence: Persistence, asking asker: FlowAsker<RegistrationStep>
    ) async throws -> RegistrationOutcome {
        let system = persistence == .kept ? self.system : self.system.ephemeral()
        let documents = try await system.connection.currentDocuments()
        let ceremony = BrowserSignIn(
            client: OpenIDClient(
                clientID: system.configuration.clientID, web: NoWeb(), clock: system.clock,
                random: system.random), directory: documents.directory)
        let keyName = RecordName("key", system.book.newName())
        return try await PendingKeys(system).whileMaking(keyName) {
            // The key comes first, so that the code is bound to it on its way through the browser.
            let key = try await system.book.keys.makeKey(keyName)
            let page = BrowserRequest(
                ceremony,
                scope: (scopes ?? system.configuration.scopes).joined(separator: " "),
                keyThumbprint: documents.supportsDPoP
                    ? try key.publicKey.jwk().thumbprintText : nil)
            let answer: BrowserChallenge.Answer = try await asker.ask { slot in
                .browser(
                    BrowserChallenge(
                        request: page, redirectURI: system.configuration.redirectURI, slot: slot))
            }
            let (form, nonce) = try ceremony.redemption(
                of: answer.parameters, redirectURI: answer.redirectURI)
            let tokens = try await TokenEndpointClient(connection: system.connection, key: key)
                .request(
                    form, expecting: .init(nonce: nonce), in: .registration)
            return try await enter(tokens, keyName, method: .oidc, system, persistence)
        }
    }

    /// Makes a session of tokens whose person was not known before, and a profile unless there is
    /// one.
    nonisolated func enter(
        _ tokens: StoredTokens, _ keyName: RecordName, method: RegistrationMethod,
        _ system: ClientDependencies, _ persistence: Persistence = .kept
    ) async throws -> RegistrationOutcome {
        guard let idToken = tokens.idToken.flatMap({ IDToken($0) }),
            let userID = idToken.claim("sub", as: String.self)
        else { throw ProviderConnection.invalid("nobody is named: ask for the scope openid") }
        let earlier = try await system.book.profile(ofUser: userID)
        let profile: StoredProfile
        var replaced: RecordName?
        if let earlier {
            (profile, replaced) = try await bind(tokens, to: keyName, of: earlier, system)
        } else {
            let name = await username(of: userID, in: idToken, by: tokens, key: keyName, system)
            // Their name is nothing to wait for; that somebody has given up is.
            try Task.checkCancellation()
            profile = StoredProfile(
                id: Profile.ID(rawValue: system.book.newName()), issuer: system.book.issuer,
                userID: userID, username: name, registeredAt: system.clock.now,
                method: method.rawValue, key: keyName)
            try await system.book.save(profile)
        }
        let session: UserSession
        do { session = try await begin(profile, tokens, persistence, system) } catch {
            if let earlier { await unbind(keyName, for: replaced, of: earlier, system) }
            throw error
        }
        // At last: as long as anything names a key, it is there.
        if earlier != nil {
            if let replaced { await system.book.discard(replaced) }
            await system.book.discard(keyName)
        }
        return RegistrationOutcome(
            profile: profile.shown, session: session, isNewProfile: earlier == nil)
    }

    private nonisolated func begin(
        _ profile: StoredProfile, _ tokens: StoredTokens, _ persistence: Persistence,
        _ system: ClientDependencies
    ) async throws -> UserSession {
        if persistence == .kept { return try await signedIn(profile, tokens) }
        let renewal = TokenRenewal(initial: profile, system: system, isKept: false)
        return UserSession(profile: profile, tokens: tokens, renewal: renewal, hub: system.hub)
    }

    /// A key that tokens are bound to is the one that renews them; the profile's own stays the one
    /// that signs its person in.
    ///
    /// - Returns: The profile, and the key that tokens were bound to until now.
    private nonisolated func bind(
        _ tokens: StoredTokens, to key: RecordName, of profile: StoredProfile,
        _ system: ClientDependencies
    ) async throws -> (StoredProfile, replaced: RecordName?) {
        try await system.book.inSession(of: profile.id) {
            guard var profile = try await system.book.profile(profile.id) else {
                throw IdentityError(
                    .authentication, .notRegistered, "the profile was removed meanwhile")
            }
            let replaced = profile.tokenKey
            if tokens.isBoundToKey { profile.tokenKey = key }
            // The provider has just named them.
            profile.issuer = system.book.issuer
            try await system.book.save(profile)
            return (profile, replaced)
        }
    }
}

extension IdentityClient {
    /// Takes ``bind(_:to:of:_:)`` back, unless somebody has signed in since: nothing was kept of the
    /// sign-in, and the tokens of before are what there is, with their own key. Also for whoever has
    /// given up, and so waits for no lock any more.
    private nonisolated func unbind(
        _ key: RecordName, for replaced: RecordName?, of earlier: StoredProfile,
        _ system: ClientDependencies
    ) async {
        let work = Task {
            try await system.book.inSession(of: earlier.id) {
                guard var profile = try await system.book.profile(earlier.id),
                    profile.tokenKey == key
                else { return }
                profile.tokenKey = replaced
                try await system.book.save(profile)
            }
        }
        _ = await work.result
    }
}

/// The browser ceremony makes addresses and reads answers; what is sent goes another way.
private struct NoWeb: WebTransport {
    func answer(to request: WebRequest) async throws -> WebResponse {
        throw UserClientError.unreachable(request.url)
    }
}
