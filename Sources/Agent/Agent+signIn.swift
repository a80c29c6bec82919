// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn

extension Agent {
    func policy(of person: String) -> SignInPolicy {
        configuration(for: person).map { SignInPolicy($0) } ?? SignInPolicy()
    }

    /// Whether the person's key signs in by itself: not when it is behind a PIN or a security key, nor
    /// when it ought to be.
    func signsAlone(_ person: String) -> Bool {
        guard policy(of: person).usesKey else { return false }
        guard let key = record.people[person]?.key else { return true }
        return key.guarded == nil && isGuardedEnough(key, of: person)
    }

    func schedule(of person: String) -> SignInSchedule {
        var policy = policy(of: person)
        policy.usesKey = signsAlone(person)
        return SignInSchedule(
            policy: policy, session: record.people[person]?.session, failedAt: failures[person])
    }

    /// What speaks for that person on this device; `nil` before both are registered.
    func client(for person: String) -> (client: ProviderClient, user: UserLoginConfiguration)? {
        guard let owner = record.machine.plan?.owner(of: person),
            let device = record.devices[owner], let configuration = device.configuration,
            let user = record.people[person]?.configuration
        else { return nil }
        let headers = self.configuration(for: person)?.platformSSO?.additionalHTTPHeaders ?? [:]
        return (
            ProviderClient(
                exchange: exchange.adding(headers), configuration: configuration, keys: keys,
                signing: device.signing, encryption: device.encryption,
                certificates: device.identity.certificates,
                previousToken: record.people[person]?.session?.refreshToken,
                known: record.people[person]?.identity), user
        )
    }

    // MARK: Sign-in

    /// With a key of theirs nobody has to type. Whoever sits there is asked by their own request.
    func beginSignIn(_ person: String) {
        guard conversations[person] == nil else { return }
        guard signsAlone(person) else { return notices.signInDue(person, .neverSignedIn) }
        inBackground { await self.signInAlone(person) }
    }

    private func signInAlone(_ person: String) async {
        do { try await signIn(person, nil) } catch {
            notices.failed("signing \(person) in", error)
            changed()
        }
    }

    private func asksPerson(_ person: String) -> Bool {
        leastPIN(of: person) != nil || wantsPresence(of: person)
    }

    private static let greatestTries = 3

    /// The person registers again, and the extension is told why. Where that brought no other key, and this
    /// one is refused again, it is not asked in a circle: somebody has to come, or some time to pass.
    func keyRefused(of person: String) async {
        guard record.people[person]?.isKeyInvalid != true else { return failures[person] = now }
        do {
            try await take([.needsRepair(.person(person))]) {
                $0.people[person]?.isKeyInvalid = true
            }
        } catch { onFailure?(error) }
    }

    /// A full login. A wrong password is asked for again, a wrong key is registered anew.
    func signIn(_ person: String, _ conversation: (any AgentConversation)?) async throws {
        await conversation?.tell(.signingIn)
        for round in 1... {
            guard let asked = origin(of: person) else { throw AgentRefusal.notRegistered }
            do {
                let login = try await login(person, conversation)
                return try await keep(login, asked: asked, isFull: true, conversation)
            } catch let error as ProviderError {
                if case .pin = error { throw error }
                guard isStill(asked) else { throw error }
                if case .deviceUnknown = error {
                    await deviceUnknown(to: error, asked: asked)
                    throw error
                }
                guard case .wrongCredential = error else {
                    await postpone(person, error)
                    throw error
                }
                if policy(of: person).usesKey {
                    await keyRefused(of: person)
                    throw error
                }
                // Another PIN, or the page again, would change nothing: what they gave is not accepted.
                guard asksPassword(of: person) else { throw error }
                await conversation?.tell(.wrongPassword)
                await doubtName(of: person)
                guard round < Self.greatestTries else { throw error }
            }
        }
    }

    /// A name that the provider never accepted may be a slip: the next registration asks for it again.
    private func doubtName(of person: String) async {
        guard record.people[person]?.identity == nil, record.people[person]?.isNameDoubted == false
        else { return }
        record.people[person]?.isNameDoubted = true
        try? await keep()
    }

    /// Whether a full login of that person, without a key of theirs, takes a password typed here.
    private func asksPassword(of person: String) -> Bool {
        let login = client(for: person)?.client.configuration
        return !policy(of: person).usesCard
            && login.map { webLoginType($0, of: person) == .none } ?? true
    }

    private func login(
        _ person: String, _ conversation: (any AgentConversation)?
    ) async throws -> VerifiedLogin {
        guard let (client, user) = client(for: person) else { throw AgentRefusal.notRegistered }
        // Without a profile nobody knows how they ought to prove who they are.
        guard configuration(for: person) != nil else { throw AgentRefusal.notConfigured }
        if policy(of: person).usesKey, let key = record.people[person]?.key {
            guard isGuardedEnough(key, of: person) else { throw KeyPINError.needed }
            guard let guarded = key.guarded else {
                return try await client.signIn(user, key: key, groups: policy(of: person).groups)
            }
            return try await guardedLogin(client, user, key, guarded, of: person, conversation)
        }
        // There is none any more: it was behind a PIN.
        guard !policy(of: person).usesKey || !asksPerson(person) else { throw KeyPINError.locked }
        guard let conversation else { throw PresentationError.notAllowed }
        if policy(of: person).usesCard {
            return try await cardLogin(client, user, of: person, conversation)
        }
        if webLoginType(client.configuration, of: person) != .none {
            return try await webLogin(client, user, of: person, conversation)
        }
        // Whoever wants people on a page is not sent their password.
        guard !policy(of: person).usesPage else { throw AgentRefusal.noPage }
        let prompt = "Password of \(user.loginUserName) at \(client.configuration.issuer):"
        let password = Secret(try await conversation.ask(.secret(prompt)))
        return try await client.signIn(user, password: password, groups: policy(of: person).groups)
    }

    /// What the provider answered becomes the session, if it is about who and what is registered now.
    func keep(
        _ login: VerifiedLogin, asked: RequestOrigin, isFull: Bool,
        _ conversation: (any AgentConversation)? = nil
    ) async throws(ProviderError) {
        let person = asked.person
        guard isStill(asked) else {
            throw .later("the machine, or \(person) on it, has registered anew or left meanwhile")
        }
        try adopt(login, of: person)
        let time = now
        if time + SignInSchedule.leeway < earliest { seen.confirm(time, elapsed: running.elapsed) }
        let session = SignInSession(
            refreshToken: login.response.refreshToken, idToken: login.response.idToken,
            subject: login.uniqueIdentifier, groups: login.groups,
            fullLoginAt: isFull ? time : record.people[person]?.session?.fullLoginAt ?? time,
            refreshedAt: time, expiresAt: time + login.response.refreshLifetime,
            authenticatedAt: isFull
                ? login.authenticatedAt : record.people[person]?.session?.authenticatedAt)
        record.people[person]?.session = session
        record.people[person]?.tokens = login.response.tokens
        staysIfAnswered(asked)
        if isFull {
            record.people[person]?.owesLogin = false
            record.people[person]?.isNameDoubted = false
            if policy(of: person).usesKey { record.people[person]?.isKeyInvalid = false }
        }
        failures[person] = nil
        do { try await keep() } catch { throw .later("the state cannot be saved: \(error)") }
        await conversation?.tell(.signedIn)
        if isFull {
            await handle(.signedIn(person))
            askPortrait(of: person)
        }
    }

    // MARK: Unlock key

    func beginBinding(_ person: String, _ attempt: UInt64) {
        let conversation = conversations[person]
        inBackground {
            await conversation?.tell(.bindingKey)
            let isBound = await self.provisionKey(of: person)
            if isBound { await conversation?.tell(.keyBound) }
            await self.handle(.keyBound(person, attempt: attempt, isBound))
        }
    }

    func provisionKey(of person: String) async -> Bool {
        guard let (client, user) = client(for: person), let asked = origin(of: person),
            let token = record.people[person]?.session?.refreshToken
        else { return false }
        do {
            let unlock = try await client.provision(user, token: token)
            guard isStill(asked) else { return false }
            record.people[person]?.unlock = unlock
            try await keep()
            return true
        } catch {
            notices.failed("asking for the unlock key of \(person)", error)
            if let failure = error as? ProviderError, case .deviceUnknown = failure {
                await deviceUnknown(to: failure, asked: asked)
            }
            return false
        }
    }
}
