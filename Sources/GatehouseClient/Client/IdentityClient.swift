// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import PIN

/// A client for the people who use one app installation with one provider.
///
/// ```swift
/// let client = try IdentityClient.onThisMachine(
///     ClientConfiguration(issuer: "https://login.example.com", clientID: "notes"))
/// let flow = client.register()
/// ```
///
/// Create one client for each configuration and retain it. All members are safe to call
/// concurrently, also from several processes with the same stores. If clients of several providers
/// share a store, each returns only the profiles of its provider; only ``damagedProfiles`` contains
/// those of all.
public actor IdentityClient {
    nonisolated let dependencies: ClientDependencies
    nonisolated let sessions: SessionRegistry
    private let signInRequests = SignInRequests()

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - configuration: The provider, and the app's client there.
    ///   - store: The store for profiles and tokens.
    ///   - keys: The store for keys.
    ///   - attestor: Supplies attestations of the device's manufacturer.
    ///   - verifiers: Biometrics and other user verification, one for each authenticator.
    ///   - passkeys: Creates and uses passkeys, for example `SystemPasskeys` of the product
    ///     `GatehousePasskeys`.
    ///   - earlierPINs: Opens PINs that earlier versions of the SDK stored: `.version1` of the product
    ///     `GatehousePINVersion1`.
    ///   - transport: Sends requests. `nil` selects the network, with the pinned certificates and
    ///     the proxy of the configuration.
    ///   - time: The clock. Tests replace it.
    /// - Throws: ``IdentityError/Code/configurationInvalid``.
    public init(
        configuration: ClientConfiguration, store: any SecureStore, keys: any KeyStore,
        attestor: (any DeviceAttestor)? = nil, verifiers: [any UserVerifier] = [],
        passkeys: (any PasskeyAuthenticator)? = nil, earlierPINs: EarlierPINs? = nil,
        transport: (any HTTPTransport)? = nil, time: any TimeSource = SystemTime()
    ) throws {
        try self.init(
            configuration: configuration, store: store, keys: keys, attestor: attestor,
            verifiers: verifiers, passkeys: passkeys, earlierPINs: earlierPINs,
            transport: transport, time: time, tuning: ClientTuning())
    }

    package init(
        configuration: ClientConfiguration, store: any SecureStore, keys: any KeyStore,
        attestor: (any DeviceAttestor)? = nil, verifiers: [any UserVerifier] = [],
        passkeys: (any PasskeyAuthenticator)? = nil, earlierPINs: EarlierPINs? = nil,
        transport: (any HTTPTransport)? = nil, time: any TimeSource, tuning: ClientTuning
    ) throws {
        dependencies = try ClientDependencies(
            configuration: configuration, store: store, keys: keys, attestor: attestor,
            verifiers: verifiers, passkeys: passkeys, earlierPINs: earlierPINs,
            transport: transport, time: time, tuning: tuning)
        sessions = SessionRegistry(dependencies)
    }

    // MARK: State

    /// Fetches the provider's metadata in advance, and deletes keys that an interrupted ceremony
    /// has left. Optional: other members fetch the metadata if necessary. If the provider is
    /// unreachable, cached metadata is returned.
    @discardableResult
    public nonisolated func start() async throws -> ProviderConfiguration {
        try await IdentityError.surfacing(.generic) {
            await PendingKeys(dependencies).sweep()
            let documents = try await dependencies.connection.currentDocuments()
            return ProviderConfiguration(documents)
        }
    }

    /// The people who are registered in this installation, in the order of their registration. A
    /// profile whose record is damaged is omitted: see ``damagedProfiles``.
    ///
    /// - Throws: ``IdentityError/Code/storageDamaged`` if profiles exist and all are damaged.
    ///   ``IdentityError/profile`` names the first.
    public nonisolated var profiles: [Profile] {
        get async throws {
            try await IdentityError.surfacing(.generic) {
                let found = try await dependencies.profiles.listing()
                if found.profiles.isEmpty, let damage = found.damage.first { throw damage }
                return found.profiles.map(\.publicProfile)
            }
        }
    }

    /// The profiles whose record is damaged, of all providers. Operations on them throw
    /// ``IdentityError/Code/storageDamaged``. Call ``remove(_:)`` for each; the person can register
    /// again before or after that.
    public nonisolated var damagedProfiles: [Profile.ID] {
        get async throws {
            try await IdentityError.surfacing(.generic) {
                try await dependencies.profiles.listing().damage.compactMap(\.profile)
            }
        }
    }

    /// The current sessions, and then each change.
    public nonisolated var events: SessionEvents { SessionEvents(events: dependencies.events) }

    /// Sets the name of a profile for display, on this device only. A registration of the same person
    /// keeps it.
    ///
    /// - Parameters:
    ///   - profile: The profile.
    ///   - name: At most 128 bytes without control characters; empty for the username.
    /// - Throws: ``IdentityError/Code/notRegistered``, and ``IdentityError/Code/requestInvalid`` for
    ///   another name.
    @discardableResult
    public nonisolated func rename(_ profile: Profile.ID, to name: String) async throws -> Profile {
        try await IdentityError.surfacing(.generic) {
            guard let label = AppRegistrationRequest.name(.string(name)) else {
                throw IdentityError(
                    .generic, .requestInvalid,
                    "the name is longer than 128 bytes, or has control characters")
            }
            return try await dependencies.profiles.update(profile) {
                $0.label = label.isEmpty ? nil : label
            }.publicProfile
        }
    }

    // MARK: Sessions

    /// Returns the session of a registered person. Sessions are restored after a restart.
    ///
    /// Does not contact the provider: a token request shows whether the person is still signed in.
    /// See ``requireSession(for:asking:)``.
    ///
    /// - Parameter profile: `nil` selects the person who signed in last.
    /// - Throws: ``IdentityError/Code/notRegistered`` if the profile does not exist,
    ///   ``IdentityError/Code/notSignedIn`` if the person must sign in, and
    ///   ``IdentityError/Code/storageDamaged`` for damaged tokens, which a sign-in replaces.
    public func session(for profile: Profile.ID? = nil) async throws -> UserSession {
        try await sessions.session(for: profile)
    }

    /// Returns an active session, and requests a sign-in if the provider no longer accepts the
    /// tokens. Without a connection to the provider, the session is returned without a sign-in.
    ///
    /// Concurrent callers share one sign-in and its result. A cancelled caller returns at once; the
    /// sign-in is cancelled when all its callers are.
    ///
    /// - Parameters:
    ///   - profile: `nil` selects the person who signed in last; if there is none, any person can
    ///     sign in.
    ///   - requester: Shows the sign-in screen. Of concurrent callers, the first one's is used.
    /// - Throws: The requester's error, `CancellationError`, ``IdentityError/Code/notSignedIn`` or
    ///   ``IdentityError/Code/notRegistered`` if the person is not signed in afterwards, and
    ///   ``IdentityError/Code/storageDamaged`` for a damaged profile, which no sign-in replaces.
    public func requireSession(
        for profile: Profile.ID? = nil, asking requester: some SignInRequesting
    ) async throws -> UserSession {
        try await SessionRequirement(
            profiles: dependencies.profiles, sessions: sessions, requests: signInRequests
        ).session(for: profile) { try await requester.requestSignIn($0, at: self) }
    }

    /// The number of callers that wait for a sign-in. For tests.
    package var waitingForSignIn: Int { get async { await signInRequests.waiterCount } }

    // MARK: Other parts

    /// This installation, without a person.
    public nonisolated var device: CurrentInstallation {
        CurrentInstallation(dependencies: dependencies)
    }

    /// The approval requests for the people of this app: a payment, or a sign-in on another device.
    public nonisolated var approvals: Approvals {
        Approvals(dependencies: dependencies, sessions: sessions)
    }
}
