// SPDX-License-Identifier: Apache-2.0
import Primitives

extension IdentityClient {
    /// This installation itself, without anybody who uses it.
    public nonisolated var device: CurrentInstallation { CurrentInstallation(system: system) }
}

/// This installation itself, without anybody who uses it.
public struct CurrentInstallation: Sendable {
    let system: ClientDependencies

    /// A session of the installation alone: by its key, with nobody signed in and nobody asked,
    /// also where a PIN guards the profile. For what the project gives to devices
    /// (`registration.device_scopes`), which is nobody's data. Nothing of it is kept.
    ///
    /// - Parameters:
    ///   - scopes: With `nil` all that a device may have.
    ///   - profile: Whose registration the key came with; with `nil`, that of whoever signed in
    ///     last. It makes no difference to what is given.
    /// - Throws: ``IdentityError/Code/notRegistered`` when this installation has no registered key
    ///   yet, ``IdentityError/Code/notAuthorized`` when the provider takes it no longer, and
    ///   ``IdentityError/Code/configurationInvalid`` for scopes that a device does not get.
    public func session(
        scopes: [String]? = nil, with profile: Profile.ID? = nil
    ) async throws -> DeviceSession {
        try await IdentityError.surfacing(.authentication) {
            let profile = try await registered(profile)
            let signIn = InstallationSignIn(system: system, profile: profile, scopes: scopes)
            return DeviceSession(signIn: signIn, tokens: try await signIn.run())
        }
    }

    /// Somebody whose key the provider knows: the one that is named, or of all whoever signed in
    /// last.
    private func registered(_ id: Profile.ID?) async throws -> StoredProfile {
        let book = system.book
        var candidates: [StoredProfile] = []
        if let id {
            if let named = try await book.profile(id) { candidates = [named] }
        } else {
            if let current = try await book.currentProfile() { candidates = [current] }
            candidates += try await book.all().reversed()
        }
        guard let known = candidates.first(where: { $0.installationID != nil && $0.keyID != nil })
        else {
            throw IdentityError(
                .authentication, .notRegistered, "this installation has no registered key")
        }
        return known
    }
}

/// An installation that has shown its key. See ``Device/session(scopes:with:)``.
public actor DeviceSession: RequestAuthorizing {
    private nonisolated let signIn: InstallationSignIn
    private var current: StoredTokens
    private let signIns = CoalescingTask<StoredTokens>()

    init(signIn: InstallationSignIn, tokens: StoredTokens) {
        self.signIn = signIn
        current = tokens
    }

    /// An access token that is good for half a minute at least; its `sub` is the installation. A
    /// new one is had by the key, once for everybody who waits.
    public func accessToken() async throws -> AccessToken { AccessToken(try await tokens()) }

    private func tokens() async throws -> StoredTokens {
        let known = current
        if known.isGood(for: .seconds(30), at: signIn.system.clock.now) { return known }
        return try await replaced(known)
    }

    /// Newer ones than those, which are over, or which somebody did not take.
    private func replaced(_ known: StoredTokens) async throws -> StoredTokens {
        try await signIns.value { try await self.signInAnew(replacing: known) }
    }

    private func signInAnew(replacing known: StoredTokens) async throws -> StoredTokens {
        guard current == known else { return current }
        let signIn = signIn
        current = try await IdentityError.surfacing(.authentication) { try await signIn.run() }
        return current
    }

    /// See ``RequestAuthorizing``.
    public nonisolated func authorize(_ request: inout ResourceRequest) async throws {
        request = try await signIn.presentation.authorized(request, with: try await tokens())
    }

    /// See ``RequestAuthorizing``.
    public nonisolated func data(for request: ResourceRequest) async throws -> ResourceResponse {
        let tokens = try await tokens()
        return try await signIn.presentation.send(request, with: tokens) {
            try await replaced(tokens)
        }
    }
}

/// How an installation gets tokens of its own: its key signs a nonce, and speaks of the
/// installation.
struct InstallationSignIn: Sendable {
    let system: ClientDependencies
    let profile: StoredProfile
    let scopes: [String]?

    func run() async throws -> StoredTokens {
        let profile = try await Self.now(profile, system.book)
        let keys = KeySignIn(
            connection: system.connection,
            endpoint: try await system.endpoint(of: profile),
            key: try await system.book.key(of: profile))
        return try await keys.runAsDevice(
            profile.installationID ?? "", keyID: profile.keyID ?? "", scopes: scopes)
    }

    var presentation: TokenPresentation {
        let (book, profile) = (system.book, profile)
        return TokenPresentation(
            connection: system.connection,
            key: { try await book.tokenKey(of: try await Self.now(profile, book)) })
    }

    /// A new registration has given the profile another key.
    private static func now(
        _ profile: StoredProfile, _ book: ProfileStore
    ) async throws -> StoredProfile {
        guard let now = try await book.profile(profile.id) else {
            throw IdentityError(.authentication, .notRegistered, "the profile was removed")
        }
        return now
    }
}
