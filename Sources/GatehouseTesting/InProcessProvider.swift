// SPDX-License-Identifier: Apache-2.0
import AppRegistration
public import GatehouseClient
import HTTPServer
import IdentityProvider
import JOSE
import Logging
import OAuth
import PasswordHashing
import Primitives
import ProtocolEndpoints
package import ProviderCore
import ProviderInstallations
import ProviderTokens
package import Storage
import StorageSQLite
import WebPages

/// A real provider in the process of the test: its own code, a store that is thrown away, no
/// socket.
///
/// ```swift
/// let provider = try await InProcessProvider()
/// let client = try provider.client()
/// try await client.register(.credential(provider.testKey()))
/// ```
public final class InProcessProvider: HTTPTransport {
    /// The clock that provider and clients go by.
    public let clock: VirtualClock
    package let provider: Provider
    let outside = FakeServices()
    let pushSender = RecordingPushSender()
    private let ownIssuer: String
    private let dispatcher: Dispatcher
    private let testKeyPEM: String
    private let testKeyID: String

    /// The issuer identifier; no port is opened for it.
    public static let issuer = "http://localhost:8080"
    /// The client that apps under test are.
    public static let clientID = "app"
    /// Where browsers are sent back to.
    public static let redirectURI = "com.example.app:/callback"

    /// It could not be made.
    public struct OperationError: Error {
        let reason: String
    }

    /// With the methods `signedJWT`, `testKey` and `oidc`, one test key, and a client that may do what apps
    /// do.
    public convenience init(clock: VirtualClock = VirtualClock()) async throws {
        try await self.init(clock: clock, issuer: Self.issuer)
    }

    /// The same under another name, for tests with two providers.
    package init(clock: VirtualClock, issuer: String) async throws {
        self.clock = clock
        ownIssuer = issuer
        provider = try await Self.makeProvider(issuer, clock, outside, pushSender)
        try await ProviderBootstrap.ensureDefaults(provider)
        guard let tenant = try await provider.tenant(named: "default") else {
            throw OperationError(reason: "no project")
        }
        let translations = try WebResources().translations
        dispatcher = Dispatcher(
            provider: provider,
            groups: [
                OAuthRoutes(provider: provider, translations: translations),
                RegistrationRoutes(provider, notices: LocalizedNotificationComposer(translations)),
                EntitlementRoutes(provider, notices: LocalizedNotificationComposer(translations)),
            ])
        try await Self.addClient(to: tenant, provider)
        let keys = TestRegistrationKeys(provider, tenant: tenant, facts: Self.facts(clock))
        let made = try await keys.make(.es256, name: "tests", owner: "tests").get()
        testKeyPEM = made.pem.revealText()
        testKeyID = made.key.kid
    }

    private static func makeProvider(
        _ issuer: String, _ clock: VirtualClock, _ outside: FakeServices,
        _ push: RecordingPushSender
    ) async throws -> Provider {
        let random = SystemRandomSource()
        guard let secrets = DerivedKeys(master: Secret(random.bytes(32))) else {
            throw OperationError(reason: "no secrets")
        }
        return Provider(
            issuer: issuer, store: try await SQLiteStore.temporary(), secrets: secrets,
            clock: clock.wall, random: random,
            passwords: try PasswordHasher(
                parameters: Argon2Parameters(memory: 8, iterations: 1, lanes: 1),
                pool: HashingPool(threads: 1), random: random),
            mail: nil, log: Logger(label: "provider") { _ in SwiftLogNoOpLogHandler() },
            http: outside, push: push)
    }

    private static func addClient(to tenant: Tenant, _ provider: Provider) async throws {
        var client = Client(
            id: Identifier(now: provider.clock.now, random: provider.random),
            project: tenant.project.id, clientID: clientID, metadata: ClientMetadata(),
            createdAt: provider.clock.now)
        client.metadata.clientName = "App"
        client.metadata.tokenEndpointAuthMethod = "none"
        client.metadata.grantTypes = [
            "authorization_code", "refresh_token", TokenRequest.assertionGrantType,
            TokenRequest.passkeyGrantType,
        ]
        client.metadata.redirectURIs = [redirectURI]
        client.metadata.postLogoutRedirectURIs = [redirectURI]
        client.metadata.scope = "openid profile offline_access registration entitlements"
        client.metadata.firstParty = true
        client.metadata.idTokenSignedResponseAlg = "ES256"
        guard try await provider.store.clients.add(client) else {
            throw OperationError(reason: "no client")
        }
        provider.clients.invalidate()
    }

    // MARK: What an app under test needs

    /// What the console would export.
    public var configuration: ClientConfiguration {
        ClientConfiguration(
            issuer: ownIssuer, clientID: Self.clientID, redirectURI: Self.redirectURI,
            installationName: "A test")
    }

    /// Returns a client of this provider, with stores in memory unless others are passed.
    ///
    /// - Parameters:
    ///   - store: For profiles and tokens; two clients with one are as two processes.
    ///   - keys: For keys.
    ///   - attestor: Such as a ``SoftwareAttestor``.
    ///   - verifiers: Such as a ``SoftwareVerifier``.
    ///   - passkeys: Who keeps the person's passkeys.
    ///   - transport: To put something in between, such as a ``FaultyTransport``.
    ///   - time: Of a machine whose clock is not the provider's.
    ///   - scopes: Besides the usual ones, such as `entitlements`.
    ///   - usesPIN: See `ClientConfiguration`.
    public func client(
        store: any GatehouseClient.SecureStore = InMemorySecureStore(),
        keys: any KeyStore = InMemoryKeyStore(), attestor: (any DeviceAttestor)? = nil,
        verifiers: [any UserVerifier] = [], passkeys: (any PasskeyAuthenticator)? = nil,
        transport: (any HTTPTransport)? = nil, time: (any TimeSource)? = nil,
        scopes: [String] = [], usesPIN: Bool = true
    ) throws -> IdentityClient {
        var configuration = configuration
        configuration.usesPIN = usesPIN
        configuration.scopes += scopes
        return try IdentityClient(
            configuration: configuration, store: store, keys: keys, attestor: attestor,
            verifiers: verifiers, passkeys: passkeys, transport: transport ?? self,
            time: time ?? clock,
            tuning: ClientTuning(stretching: .cheap))
    }

    /// Returns a test key for a new person, who may register any number of times.
    public func testKey(
        name: String = "test", entitlementSet: String? = nil
    ) throws -> TestKeyCredentialProvider {
        try TestKeyCredentialProvider(
            privateKeyPEM: testKeyPEM, keyID: testKeyID, name: name,
            entitlementSet: entitlementSet, time: clock)
    }

    /// Changes the project's rules, as an administrator would.
    package func change(_ change: (inout Project) -> Void) async throws {
        guard let tenant = try await provider.tenant(named: "default"),
            let old = try await provider.store.projects.project(tenant.project.id)
        else { throw OperationError(reason: "no project") }
        var new = old
        change(&new)
        let edit = ChangedMeanwhile.unless(old, becomes: new)
        guard try await provider.store.projects.change(project: old.id, edit).isKept else {
            throw OperationError(reason: "not saved")
        }
        provider.tenants.invalidate()
    }

    // MARK: Carrying requests

    /// See `HTTPTransport`.
    public func response(to request: ResourceRequest) async throws -> ResourceResponse {
        try Task.checkCancellation()
        let target = String(request.url.dropFirst(ownIssuer.count))
        let exchange = InProcessRequest(
            method: request.method, target: target, headers: request.headers,
            body: request.body ?? [])
        guard request.url.hasPrefix(ownIssuer + "/"),
            let answer = try await dispatcher.answer(to: exchange, facts: Self.facts(clock))
        else { throw OperationError(reason: "\(request.url) is not here") }
        var headers = answer.headers
        // As the shell does that is not here.
        headers["date"] = DateHeader.format(clock.wall.now.seconds)
        return ResourceResponse(status: answer.status, headers: headers, body: answer.body)
    }

    static func facts(_ clock: VirtualClock) -> RequestMetadata {
        RequestMetadata(now: clock.wall.now, requestID: "test", address: "192.0.2.1")
    }
}
