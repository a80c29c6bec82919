// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import OAuth
import Primitives
import UserClient

/// How the SDK talks to its provider: finds its addresses, asks, and makes errors of refusals.
actor ProviderConnection {
    nonisolated let configuration: ClientConfiguration
    nonisolated let transport: any HTTPTransport
    /// This machine's.
    nonisolated let clock: any WallClock
    nonisolated let providerClock: ProviderClock
    nonisolated let random: any RandomSource
    private let store: any SecureStore
    /// What the app says of itself with every request.
    private nonisolated let application: String?
    private var documents: ProviderDocuments?
    /// When the provider could last not be asked for newer ones.
    private var missedAt: Timestamp?

    /// How long nobody waits for newer ones again after that.
    private static let pause = TimeSpan.seconds(30)
    /// Longest answer that is read as JSON, in bytes.
    private static let greatestAnswer = 1_048_576

    init(
        configuration: ClientConfiguration, transport: any HTTPTransport,
        store: any SecureStore, clock: any WallClock, random: any RandomSource
    ) {
        self.configuration = configuration
        self.transport = transport
        self.store = store
        self.clock = clock
        providerClock = ProviderClock(clock)
        self.random = random
        application = configuration.application?.field
    }

    // MARK: What the provider says of itself

    /// The documents, from memory, from the provider, or, while that cannot be reached, from the
    /// store however old they are.
    func currentDocuments() async throws -> ProviderDocuments {
        if let documents, isFresh(documents) { return documents }
        let kept = if let documents { documents } else { await stored() }
        if let kept, isFresh(kept) {
            documents = kept
            return kept
        }
        if let kept, let missedAt, !isPast(missedAt, by: Self.pause) {
            documents = kept
            return kept
        }
        do {
            return try await fetch()
        } catch {
            guard let kept, error.isAboutTheWay else { throw error }
            missedAt = clock.now
            documents = kept
            return kept
        }
    }

    /// The documents, however old they are: where to ask for tokens changes rarely, and what is
    /// signed with a key that is not among theirs has them fetched anew. Renewing a token is then
    /// one call.
    func knownDocuments() async throws -> ProviderDocuments {
        if let documents { return documents }
        guard let kept = await stored() else { return try await fetch() }
        documents = kept
        return kept
    }

    /// The documents as they are now: for a key that is not among those known.
    func fetch() async throws(IdentityError) -> ProviderDocuments {
        let issuer = configuration.issuer
        let metadata = try await document(issuer + "/.well-known/openid-configuration")
        let addresses = try await document(issuer + "/.well-known/gatehouse")
        guard let keysAddress = metadata["jwks_uri"]?.string,
            ProviderEndpoints.isProtected(keysAddress)
        else { throw Self.invalid("jwks_uri is missing") }
        let keys = try await document(keysAddress)
        let fetched: ProviderDocuments
        do {
            fetched = try ProviderDocuments(
                metadata: metadata, addresses: addresses, keys: keys, fetchedAt: clock.now,
                issuer: issuer)
        } catch {
            throw Self.invalid("\(error)")
        }
        documents = fetched
        missedAt = nil
        // Only a convenience: without it the next start needs a network.
        try? await store.write(fetched.json, to: ProviderDocuments.record(issuer))
        return fetched
    }

    private func isFresh(_ documents: ProviderDocuments) -> Bool {
        let limit = TimeSpan.seconds(configuration.refreshesConfigurationAfterSeconds)
        return !isPast(documents.fetchedAt, by: limit)
    }

    private func isPast(_ time: Timestamp, by limit: TimeSpan) -> Bool {
        // A clock that was put back must not keep anything for ever.
        let age = clock.now - time
        return age < TimeSpan(milliseconds: 0) || age >= limit
    }

    private func stored() async -> ProviderDocuments? {
        let issuer = configuration.issuer
        for name in [ProviderDocuments.record(issuer), ProviderDocuments.sharedRecord] {
            guard let bytes = try? await store.read(name) else { continue }
            // What another provider has said is none of this one's.
            if let documents = ProviderDocuments(json: bytes, issuer: issuer) { return documents }
        }
        return nil
    }

    private func document(_ url: String) async throws(IdentityError) -> JSONObject {
        let answer = try await send(ResourceRequest(url), in: .generic)
        guard answer.status == 200 else {
            throw ProviderErrorMapping.error(answer, in: .generic)
        }
        return try Self.object(answer)
    }

    // MARK: Asking

    /// Posts JSON, or nothing, to one of the provider's named addresses and reads JSON.
    nonisolated func post(
        _ name: String, _ body: JSONValue?, in domain: IdentityError.Domain
    ) async throws -> JSONObject {
        let answer = try await reply(to: name, body, in: domain)
        guard (200...201).contains(answer.status) else {
            throw ProviderErrorMapping.error(answer, in: domain)
        }
        return try Self.object(answer)
    }

    /// The same, for whom refusals are answers, too.
    nonisolated func reply(
        to name: String, _ body: JSONValue?, in domain: IdentityError.Domain
    ) async throws -> ResourceResponse {
        var request = ResourceRequest(
            try await address(name, in: domain), method: "POST", body: body?.bytes)
        if body != nil { request.set("content-type", "application/json") }
        return try await send(request, in: domain)
    }

    nonisolated func address(
        _ name: String, among group: String = "registration", in domain: IdentityError.Domain
    ) async throws -> String {
        guard let address = try await currentDocuments().address(name, among: group) else {
            throw IdentityError(
                domain, .methodNotSupported, "the provider has no address named \(name)")
        }
        return address
    }

    /// Sends and says in our words why there is no answer.
    nonisolated func send(
        _ request: ResourceRequest, in domain: IdentityError.Domain
    ) async throws(IdentityError) -> ResourceResponse {
        do {
            let answer = try await transport.response(to: introduced(request))
            // What is not posted may come from a cache, with the date of back then.
            if request.method == "POST", isOfProvider(request) { providerClock.hear(answer) }
            return answer
        } catch let error as IdentityError {
            throw error
        } catch {
            if error is CancellationError || Task.isCancelled {
                throw IdentityError(domain, .cancelled, "the task was cancelled")
            }
            throw failure(error, of: request, in: domain)
        }
    }

    private nonisolated func failure(
        _ error: any Error, of request: ResourceRequest, in domain: IdentityError.Domain
    ) -> IdentityError {
        let words = ConnectionError.words(for: error, advice: .pinned)
        if case .tooLong = ConnectionError.kind(of: error) {
            // Of the provider it is nobody's word; of a resource the next one is as long.
            return IdentityError(
                domain, .invalidAnswer, "\(request.url): \(words)",
                retry: isOfProvider(request) ? .later : .never, underlying: error)
        }
        return IdentityError(
            domain, ConnectionError.isOfTrust(error) ? .notTrusted : .notReachable,
            "\(request.url) cannot be reached: \(words)", underlying: error)
    }

    /// Which app it is goes to the provider, and to nobody else.
    private nonisolated func introduced(_ request: ResourceRequest) -> ResourceRequest {
        guard let application, isOfProvider(request) else { return request }
        var request = request
        request.set(ApplicationVersion.fieldName, application)
        return request
    }

    private nonisolated func isOfProvider(_ request: ResourceRequest) -> Bool {
        request.url.hasPrefix(configuration.issuer + "/")
    }

    static func object(_ answer: ResourceResponse) throws(IdentityError) -> JSONObject {
        do {
            return try JSONParser.parseObject(answer.body, maximumBytes: greatestAnswer)
        } catch { throw ProviderErrorMapping.unworded(answer, .generic) }
    }

    static func invalid(_ reason: String) -> IdentityError {
        IdentityError(.generic, .invalidAnswer, reason)
    }
}

extension Error {
    /// Whether the provider could not be asked, or somebody in between has answered, which says
    /// nothing about what it would have said.
    var isAboutTheWay: Bool {
        guard let error = self as? IdentityError else { return false }
        return [.notReachable, .notTrusted, .providerUnavailable, .tooManyRequests]
            .contains(error.code) || (error.code == .invalidAnswer && error.retry == .later)
    }
}
