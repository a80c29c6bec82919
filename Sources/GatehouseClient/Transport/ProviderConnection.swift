// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives
import UserClient

/// The connection to the provider: resolves its endpoints, sends requests, and converts refusals to
/// errors.
actor ProviderConnection {
    nonisolated let configuration: ClientConfiguration
    nonisolated let transport: any HTTPTransport
    /// This machine's.
    nonisolated let clock: any WallClock
    nonisolated let providerClock: ProviderClock
    nonisolated let random: any RandomSource
    private let store: any SecureStore
    /// The app's identity in each request.
    private nonisolated let application: String?
    private var documents: ProviderDocuments?
    /// The time of the last failed fetch.
    private var missedAt: Timestamp?

    /// The time after an error in which no new attempt is waited for.
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

    /// Returns the documents, whatever their age: the token endpoint changes rarely, and a
    /// signature with an unknown key causes a new fetch. The renewal of a token is then one
    /// request.
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
        // If the clock was set back, the documents must still expire.
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

    /// Sends a request, and returns refusals as responses.
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
                domain, .methodNotSupported, "the provider has no endpoint named \(name)")
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
            // An oversized response does not come from the provider; a resource would send it
            // again.
            return IdentityError(
                domain, .invalidAnswer, "\(request.url): \(words)",
                retry: isOfProvider(request) ? .later : .never, underlying: error)
        }
        return IdentityError(
            domain, ConnectionError.isOfTrust(error) ? .notTrusted : .notReachable,
            "\(request.url) cannot be reached: \(words)", underlying: error)
    }

    /// Adds the identity of the app, for the provider only.
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
        } catch { throw ProviderErrorMapping.statusOnly(answer, .generic) }
    }

    static func invalid(_ reason: String) -> IdentityError {
        IdentityError(.generic, .invalidAnswer, reason)
    }
}

extension Error {
    /// Whether the provider was unreachable, or an intermediary has responded instead: the
    /// provider's decision is unknown.
    var isAboutTheWay: Bool {
        guard let error = self as? IdentityError else { return false }
        return [.notReachable, .notTrusted, .providerUnavailable, .tooManyRequests]
            .contains(error.code) || (error.code == .invalidAnswer && error.retry == .later)
    }
}
