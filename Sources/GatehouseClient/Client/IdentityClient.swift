// SPDX-License-Identifier: Apache-2.0
import PIN
import PasswordHashing
import Primitives

/// The people of one app installation, at one provider.
///
/// ```swift
/// let client = try IdentityClient.onThisMachine(
///     ClientConfiguration(issuer: "https://login.example.com", clientID: "notes"))
/// let flow = client.register()
/// ```
///
/// Make one for each configuration and keep it. Everything may be called from anywhere, at once and
/// from several processes with the same stores. Where clients of several providers have one store,
/// each sees the profiles of its own.
public actor IdentityClient {
    let system: ClientDependencies
    private var sessions: [Profile.ID: UserSession] = [:]
    /// Of ``requireSession(for:asking:)``.
    var signInRequests: [Profile.ID?: SignInRequest] = [:]
    var signInRequestCount = 0

    /// - Parameters:
    ///   - configuration: Which provider, and which client of its.
    ///   - store: Where profiles and tokens are.
    ///   - keys: Where keys are.
    ///   - attestor: Who has the device's maker vouch for it, where there is one.
    ///   - verifiers: Biometrics and whatever else can show that it is the person: one for each
    ///     authenticator.
    ///   - passkeys: Who keeps the person's passkeys here: `SystemPasskeys` of the product
    ///     `GatehousePasskeys`.
    ///   - transport: Who carries requests; with `nil` the network, pinned and proxied as the
    ///     configuration says.
    ///   - time: The system's clock, but in tests.
    /// - Throws: ``IdentityError/Code/configurationInvalid``.
    public init(
        configuration: ClientConfiguration, store: any SecureStore, keys: any KeyStore,
        attestor: (any DeviceAttestor)? = nil, verifiers: [any UserVerifier] = [],
        passkeys: (any PasskeyAuthenticator)? = nil, transport: (any HTTPTransport)? = nil,
        time: any TimeSource = SystemTime()
    ) throws {
        try self.init(
            configuration: configuration, store: store, keys: keys, attestor: attestor,
            verifiers: verifiers, passkeys: passkeys, transport: transport, time: time,
            tuning: ClientTuning(pinCosts: PINSealer.standard))
    }

    package init(
        configuration: ClientConfiguration, store: any SecureStore, keys: any KeyStore,
        attestor: (any DeviceAttestor)? = nil, verifiers: [any UserVerifier] = [],
        passkeys: (any PasskeyAuthenticator)? = nil, transport: (any HTTPTransport)? = nil,
        time: any TimeSource, tuning: ClientTuning
    ) throws {
        try configuration.validate()
        let carrier: any HTTPTransport =
            if let transport { transport } else {
                try NetworkTransport(
                    pinnedCertificates: configuration.pinnedCertificates,
                    proxy: configuration.proxy, timeout: .seconds(configuration.timeoutSeconds))
            }
        let connection = ProviderConnection(
            configuration: configuration, transport: carrier, store: store,
            clock: ClientClock(source: time), random: tuning.random)
        system = ClientDependencies(
            configuration: configuration, connection: connection,
            book: ProfileStore(
                issuer: configuration.issuer, store: store, keys: keys, random: tuning.random,
                patience: .seconds(3 * configuration.timeoutSeconds)),
            attestor: attestor, verifiers: verifiers, passkeys: passkeys, hub: EventBroadcaster(),
            hashing: HashingPool(threads: 1), pinCosts: tuning.pinCosts)
    }

    // MARK: How things stand

    /// Asks the provider what it says of itself, so that what follows need not wait for it. Not
    /// needed: everything else does so when it must. While the provider cannot be reached, what
    /// is known from before serves. Keys that an app has left behind which was ended in the middle
    /// of a ceremony are removed.
    @discardableResult
    public nonisolated func start() async throws -> ProviderConfiguration {
        try await IdentityError.surfacing(.generic) {
            await PendingKeys(system).sweep()
            let documents = try await system.connection.currentDocuments()
            return ProviderConfiguration(documents)
        }
    }

    /// Everybody who is registered here, whoever came first first. A profile whose record is damaged
    /// is not among them, and hinders none of the others: ``damagedProfiles`` names it.
    ///
    /// - Throws: ``IdentityError/Code/storageDamaged`` when there are profiles and none can be read:
    ///   that is not nobody. ``IdentityError/profile`` names the first.
    public nonisolated var profiles: [Profile] {
        get async throws {
            try await IdentityError.surfacing(.generic) {
                let found = try await system.book.listing()
                if found.profiles.isEmpty, let damage = found.damage.first { throw damage }
                return found.profiles.map(\.shown)
            }
        }
    }

    /// Profiles whose own record was changed by others, of whichever provider: nobody can say. What
    /// is asked of them throws ``IdentityError/Code/storageDamaged``. ``remove(_:)`` takes one away by
    /// itself, and whoever it was registers again, which may be before or after.
    public nonisolated var damagedProfiles: [Profile.ID] {
        get async throws {
            try await IdentityError.surfacing(.generic) {
                try await system.book.listing().damage.compactMap(\.profile)
            }
        }
    }

    /// What happens to sessions, from now on, and how they stand.
    public nonisolated var events: SessionEvents { SessionEvents(hub: system.hub) }

    // MARK: Sessions

    /// The session of somebody who is registered here. It is theirs again after a restart.
    ///
    /// Asks nobody: whether the person is still signed in shows when a token is asked for, and
    /// ``requireSession(for:asking:)`` looks. With `nil`, whoever signed in last.
    ///
    /// - Throws: ``IdentityError/Code/notRegistered`` when there is no such profile,
    ///   ``IdentityError/Code/notSignedIn`` when they are signed out and only they can change that, and
    ///   ``IdentityError/Code/storageDamaged`` for tokens that a sign-in replaces.
    public func session(for profile: Profile.ID? = nil) async throws -> UserSession {
        try await IdentityError.surfacing(.authentication) {
            let stored = try await self.stored(profile)
            if let session = sessions[stored.id], session.cache.tokens != nil { return session }
            let renewal = renewal(of: stored)
            let tokens: StoredTokens?
            do { tokens = try await renewal.read() } catch let error as StoreError
                where error.isDamage
            {
                throw IdentityError(
                    .generic, .storageDamaged,
                    "the tokens cannot be read; a sign-in replaces them: \(error)",
                    retry: .afterSignIn, underlying: error)
            }
            guard let tokens, sessions[stored.id]?.renewal.refused.contains(tokens) != true else {
                throw IdentityError(.authentication, .notSignedIn, "they are not signed in")
            }
            return keep(
                UserSession(profile: stored, tokens: tokens, renewal: renewal, hub: system.hub))
        }
    }

    /// Somebody's session with what a sign-in gave; the one that the app has already, if it has.
    func signedIn(_ profile: StoredProfile, _ tokens: StoredTokens) async throws -> UserSession {
        let session: UserSession
        if let known = sessions[profile.id], known.profile == profile.shown {
            session = known
        } else {
            session = UserSession(
                profile: profile, tokens: sessions[profile.id]?.cache.tokens,
                renewal: renewal(of: profile), hub: system.hub)
        }
        try await session.adopt(tokens)
        return keep(session)
    }

    private func keep(_ session: UserSession) -> UserSession {
        // Somebody else may have been faster while the store was read.
        if let known = sessions[session.profile.id], known !== session,
            known.profile == session.profile, known.cache.tokens != nil
        {
            return known
        }
        sessions[session.profile.id] = session
        system.hub.send(.signedIn(session.profile.id))
        return session
    }

    func forgetSession(_ id: Profile.ID) -> UserSession? { sessions.removeValue(forKey: id) }

    /// Of whom the app has sessions, whatever the store says.
    var profilesWithSession: [Profile.ID] { Array(sessions.keys) }

    nonisolated func renewal(of profile: StoredProfile) -> TokenRenewal {
        TokenRenewal(initial: profile, system: system)
    }

    /// - Throws: ``IdentityError/Code/notRegistered``.
    nonisolated func stored(_ id: Profile.ID?) async throws -> StoredProfile {
        let found =
            if let id { try await system.book.profile(id) } else {
                try await system.book.currentProfile()
            }
        guard let found else {
            throw IdentityError(.authentication, .notRegistered, "no such profile is here")
        }
        return found
    }
}

/// What a provider says of itself.
public struct ProviderConfiguration: Sendable, Hashable {
    /// Whether tokens are bound to a key of the installation (DPoP, RFC 9449).
    public let bindsTokens: Bool
    /// Whether apps can register here.
    public let registersApps: Bool
    /// Whether apps can have PINs.
    public let offersPINs: Bool

    init(_ documents: ProviderDocuments) {
        bindsTokens = documents.supportsDPoP
        registersApps = documents.address("register") != nil
        offersPINs = documents.address("pin") != nil
    }
}
