// SPDX-License-Identifier: Apache-2.0
import AgentClient
import PlatformSSO
import Primitives
import SingleSignOn

/// Signs people in at the provider, and stores the sessions.
@AgentActor
struct SignIns {
    let records: RecordStore
    let profiles: ActiveProfiles
    let clients: LoginClients
    let personKeys: PersonKeys
    let identities: PersonIdentities
    let cards: CardSignIn
    let sessions: MachineBox<SessionMachine>
    let conversations: Conversations
    let avatars: Avatars
    let background: BackgroundWork
    let notices: any AgentEventLog
    let events: any AgentEvents

    private static let maximumTries = 3
    /// The time that a person has on a page.
    private static let pageTime = Duration.seconds(600)

    /// Starts a sign-in with the person's key, or reports that the person must sign in. A person with a
    /// conversation signs in through their own request.
    func start(_ person: String) {
        guard conversations[person] == nil else { return }
        guard personKeys.signsAlone(person) else {
            return notices.signInDue(person, .neverSignedIn)
        }
        background.start { await signInAlone(person) }
    }

    private func signInAlone(_ person: String) async {
        do { try await signIn(person, nil) } catch {
            notices.failed("signing \(person) in", error)
            records.publishChange()
        }
    }

    // MARK: Full login

    /// Signs a person in. After a wrong password the person is prompted again; a refused key is replaced.
    func signIn(_ person: String, _ conversation: (any AgentConversation)?) async throws {
        await conversation?.report(.signingIn)
        for round in 1... {
            guard let origin = records.origin(of: person) else { throw AgentRefusal.notRegistered }
            do {
                let login = try await login(person, conversation)
                return try await accept(login, origin, isFull: true, conversation)
            } catch let error as ProviderError {
                try await handle(error, origin)
                await conversation?.report(.wrongPassword)
                await doubtName(of: person)
                guard round < Self.maximumTries else { throw error }
            }
        }
    }

    /// Returns if the person may correct a password.
    private func handle(_ error: ProviderError, _ origin: RequestOrigin) async throws {
        let person = origin.person
        if case .pin = error { throw error }
        guard records.isCurrent(origin) else { throw error }
        if case .deviceUnknown = error {
            await events.deviceUnknown(error, origin)
            throw error
        }
        guard case .wrongCredential = error else {
            await identities.postpone(person, error)
            throw error
        }
        if profiles.policy(of: person).usesKey {
            await keyRefused(of: person)
            throw error
        }
        // Another PIN of the card, or the page again, would not change the result.
        guard usesPassword(person) else { throw error }
    }

    /// Handles a key that the provider refused: the person registers again, and the extension gets the
    /// reason. If that brought no other key, the next try is later, or by the person.
    func keyRefused(of person: String) async {
        guard records.record.people[person]?.isKeyInvalid != true else {
            sessions.machine.handle(.failed(person), now: records.now)
            return
        }
        await events.handle([.needsRepair(.person(person))], in: records) {
            $0.people[person]?.isKeyInvalid = true
        }
    }

    /// A username that the provider never accepted may be mistyped: the next registration prompts for it
    /// again.
    private func doubtName(of person: String) async {
        guard records.record.people[person]?.identity == nil,
            records.record.people[person]?.isNameDoubted == false
        else { return }
        records.record.people[person]?.isNameDoubted = true
        try? await records.save()
    }

    /// Whether a full login of that person takes a password.
    private func usesPassword(_ person: String) -> Bool {
        let login = clients.client(for: person)?.client.configuration
        return !profiles.policy(of: person).usesCard
            && login.map { webLoginType($0, of: person) == .none } ?? true
    }

    /// Returns how that person signs in on a page; `none` if they do not.
    private func webLoginType(_ login: LoginConfiguration, of person: String) -> FederationType {
        login.webLoginType(isPage: profiles.policy(of: person).usesPage)
    }

    private func login(
        _ person: String, _ conversation: (any AgentConversation)?
    ) async throws -> VerifiedLogin {
        guard let (client, user) = clients.client(for: person) else {
            throw AgentRefusal.notRegistered
        }
        // Without a profile the sign-in method is unknown.
        guard profiles.configuration(for: person) != nil else { throw AgentRefusal.notConfigured }
        let policy = profiles.policy(of: person)
        if policy.usesKey {
            if let key = records.record.people[person]?.key {
                return try await keyLogin(client, user, key, of: person, conversation)
            }
            // The key behind a PIN was destroyed.
            guard !personKeys.requirement(of: person).requiresPerson else {
                throw KeyPINError.locked
            }
        }
        guard let conversation else { throw PresentationError.notAllowed }
        if policy.usesCard {
            return try await cards.signIn(client, user, groups: policy.groups, conversation)
        }
        if webLoginType(client.configuration, of: person) != .none {
            return try await webLogin(client, user, of: person, conversation)
        }
        // A provider that signs people in on a page does not get their password.
        guard !policy.usesPage else { throw AgentRefusal.noPage }
        let prompt = "Password of \(user.loginUserName) at \(client.configuration.issuer):"
        let password = Secret(try await conversation.ask(.secret(prompt)))
        return try await client.signIn(
            user, password: password, groups: profiles.policy(of: person).groups)
    }

    private func keyLogin(
        _ client: ProviderClient, _ user: UserLoginConfiguration, _ key: AgentKey,
        of person: String, _ conversation: (any AgentConversation)?
    ) async throws -> VerifiedLogin {
        guard personKeys.requirement(of: person).isMet(by: key) else { throw KeyPINError.needed }
        let groups = profiles.policy(of: person).groups
        guard let guarded = key.guarded else {
            return try await client.signIn(user, key: key, groups: groups)
        }
        return try await personKeys.withSecret(of: guarded, person, conversation) { pin in
            try await client.signIn(user, key: key, groups: groups) { message in
                try await personKeys.sign(message, with: key, pin: pin, of: person)
            }
        }
    }

    private func webLogin(
        _ client: ProviderClient, _ user: UserLoginConfiguration, of person: String,
        _ conversation: any AgentConversation
    ) async throws -> VerifiedLogin {
        let page = WebLogin(
            client, user, webLoginType(client.configuration, of: person),
            hosts: profiles.configuration(for: person)?.platformSSO?.webLoginURLAllowList ?? [])
        let callback = try await page.run(conversation, patience: Self.pageTime)
        return try await client.signIn(
            user, webLogin: callback, groups: profiles.policy(of: person).groups)
    }

    // MARK: Result

    /// Stores the response of the provider as the session, if it concerns the registrations of now.
    func accept(
        _ login: VerifiedLogin, _ origin: RequestOrigin, isFull: Bool,
        _ conversation: (any AgentConversation)? = nil
    ) async throws(ProviderError) {
        let person = origin.person
        guard records.isCurrent(origin) else {
            throw .later(
                "the device, or \(person) on it, was registered again or removed in the meantime")
        }
        try identities.adopt(login, of: person)
        records.confirmTime()
        store(login, of: person, isFull: isFull)
        records.confirmRegistration(origin)
        sessions.machine.handle(.signedIn(person), now: records.now)
        do { try await records.save() } catch {
            throw .later("the state cannot be saved: \(error)")
        }
        await conversation?.report(.signedIn)
        if isFull {
            await events.handle(.signedIn(person))
            avatars.update(person)
        }
    }

    private func store(_ login: VerifiedLogin, of person: String, isFull: Bool) {
        let (time, before) = (records.now, records.record.people[person]?.session)
        records.record.people[person]?.session = SignInSession(
            refreshToken: login.response.refreshToken, idToken: login.response.idToken,
            subject: login.uniqueIdentifier, groups: login.groups,
            fullLoginAt: isFull ? time : before?.fullLoginAt ?? time,
            refreshedAt: time, expiresAt: time + login.response.refreshLifetime,
            authenticatedAt: isFull ? login.authenticatedAt : before?.authenticatedAt)
        records.record.people[person]?.tokens = login.response.tokens
        guard isFull else { return }
        records.record.people[person]?.owesLogin = false
        records.record.people[person]?.isNameDoubted = false
        if profiles.policy(of: person).usesKey {
            records.record.people[person]?.isKeyInvalid = false
        }
    }
}
