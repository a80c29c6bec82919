// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import PlatformSSO
package import Primitives
import SingleSignOn
package import UserClient

/// Single messages to a provider, and what is common to them. Addresses that are neither https nor of
/// this machine are never asked.
package struct ProviderExchange: Sendable {
    package let web: any WebTransport
    package let clock: any WallClock
    package let random: any RandomSource
    /// What is sent with each request of Platform SSO besides.
    private var additions: [(String, String)] = []

    package init(web: any WebTransport, clock: any WallClock, random: any RandomSource) {
        self.web = web
        self.clock = clock
        self.random = random
    }

    static let greatestAnswer = 262_144

    /// The same with the headers of a configuration (`AdditionalHTTPHeaders`), as far as they can be
    /// sent.
    package func adding(_ headers: [String: String]) -> ProviderExchange {
        var copy = self
        copy.additions = headers.sorted { $0.key < $1.key }
            .filter { AdditionalHTTPHeaders.fault(name: $0.key, value: $0.value) == nil }
            .prefix(AdditionalHTTPHeaders.maximumCount).map { ($0.key.lowercased(), $0.value) }
        return copy
    }

    /// The headers of the message have priority.
    private func withAdditions(_ headers: [(String, String)]) -> [(String, String)] {
        headers + additions.filter { added in !headers.contains { $0.0 == added.0 } }
    }

    /// Returns what a provider states about a person before they sign in.
    func preauthentication(_ url: String) async throws(ProviderError) -> WebResponse {
        try await ask(
            WebRequest(
                method: "GET", url: url, headers: withAdditions([("accept", "application/json")])))
    }

    func get(
        _ url: String, accept: String = "application/json"
    ) async throws(ProviderError) -> WebResponse {
        try await ask(WebRequest(method: "GET", url: url, headers: [("accept", accept)]))
    }

    /// A SOAP message, whose answer is one as well.
    func post(
        _ url: String, envelope: [UInt8], mediaType: String, action: String
    ) async throws(ProviderError) -> WebResponse {
        try await ask(
            WebRequest(
                method: "POST", url: url,
                headers: [
                    ("content-type", mediaType), ("accept", "application/soap+xml"),
                    ("soapaction", action),
                ], body: envelope))
    }

    func post(
        _ url: String, form: [FormField], accept: String
    ) async throws(ProviderError) -> WebResponse {
        let body = FormEncoding.encode(form.map { (name: $0.name, value: $0.value) })
        return try await ask(
            WebRequest(
                method: "POST", url: url,
                headers: withAdditions([
                    ("content-type", "application/x-www-form-urlencoded"), ("accept", accept),
                    ("client-request-id", ClientNonce.make(random)),
                ]), body: Array(body.utf8)))
    }

    func post(
        _ url: String, json: JSONObject, bearer: Secret?
    ) async throws(ProviderError) -> WebResponse {
        var headers = [("content-type", "application/json"), ("accept", "application/json")]
        if let bearer { headers.append(("authorization", "Bearer " + bearer.revealText())) }
        return try await ask(
            WebRequest(method: "POST", url: url, headers: headers, body: json.bytes))
    }

    private func ask(_ request: WebRequest) async throws(ProviderError) -> WebResponse {
        guard ProviderEndpoints.isProtected(request.url) else {
            throw .notTrusted("\(request.url) is not an https address")
        }
        let reply: WebResponse
        do { reply = try await web.answer(to: request) } catch {
            throw .unreachable(ConnectionError.words(for: error))
        }
        guard reply.body.count <= Self.greatestAnswer else { throw .notTrusted("it is too long") }
        return reply
    }

    /// A server nonce (Apple "Obtaining a server nonce").
    func nonce(
        _ configuration: LoginConfiguration
    ) async throws(ProviderError) -> String {
        let reply = try await post(
            configuration.nonceURL, form: configuration.nonceForm, accept: NonceExchange.mediaType)
        guard reply.status == 200 else { throw Self.later(reply) }
        do throws(PlatformSSORefusal) {
            return try NonceExchange.nonce(
                in: reply.body, keyPath: configuration.nonceResponseKeypath)
        } catch { throw .notTrusted(error.reason) }
    }

    func keys(_ url: String) async throws(ProviderError) -> JWKSet {
        try Self.set(try await keySet(url))
    }

    /// What it signs ID tokens with; led to the configured roots, where there are some.
    func keys(
        _ configuration: LoginConfiguration
    ) async throws(ProviderError) -> ProviderKeys {
        let body = try await keySet(configuration.jwksEndpointURL)
        let (set, roots) = (try Self.set(body), configuration.jwksTrustedRootCertificates)
        guard !roots.isEmpty else { return ProviderKeys(set) }
        do throws(CertifiedKeysError) {
            try await CertifiedKeys.check(body, roots: roots, now: clock.now)
        } catch { throw .notTrusted("its keys: \(error.reason)") }
        return ProviderKeys(set, verifiedAgainst: roots)
    }

    private func keySet(_ url: String) async throws(ProviderError) -> [UInt8] {
        let reply = try await get(url)
        guard reply.status == 200 else { throw Self.later(reply) }
        return reply.body
    }

    private static func set(_ body: [UInt8]) throws(ProviderError) -> JWKSet {
        do throws(JOSEError) { return try JWKSet(bytes: body) } catch {
            throw .notTrusted("its keys: \(error.reason)")
        }
    }

    /// What an answer that is not 200 says of itself, as far as it may be shown.
    static func later(_ reply: WebResponse) -> ProviderError { .later(reason(reply)) }

    /// Its stable code.
    static func code(_ reply: WebResponse) -> String? {
        let answer = try? JSONParser.parseObject(reply.body, maximumBytes: 16_384)
        return answer?["error"]?.string
    }

    static func reason(_ reply: WebResponse) -> String {
        let answer = try? JSONParser.parseObject(reply.body, maximumBytes: 16_384)
        let words = answer?["error_description"]?.string ?? answer?["error"]?.string
        let shown = words?.singleLine(atMost: 200) ?? ""
        return shown.isEmpty ? "status \(reply.status)" : shown
    }
}
