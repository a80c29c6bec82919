// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import ProviderCore
package import Storage

/// The state of an authorization request to an upstream provider until its callback.
///
/// Unauthenticated clients can start any number of them, so it is not stored: the browser carries
/// it in a cookie. It is sealed under a keyed hash of the random `state` and of a secret of that
/// browser. The PKCE verifier and the nonce are derived from the same two. Only a callback consumes
/// it.
package struct UpstreamTransaction: Sendable {
    /// The purpose of the request.
    package enum Purpose: Sendable, Equatable {
        case signIn
        /// Linking by a signed-in person, with their session.
        case link(Identifier<Person>, Identifier<Session>)
    }

    package static let lifetime = TimeSpan.minutes(10)
    var expiresAt: Timestamp { begunAt + Self.lifetime }

    package let provider: Identifier<UpstreamProvider>
    package let purpose: Purpose
    /// Whether the provider must authenticate the person again.
    package let isFresh: Bool
    package let begunAt: Timestamp
    /// The continuation for the pages after the callback.
    package let continuation: String?
    package let next: String?

    package init(
        provider: Identifier<UpstreamProvider>, purpose: Purpose, isFresh: Bool,
        begunAt: Timestamp, continuation: String? = nil, next: String? = nil
    ) {
        self.provider = provider
        self.purpose = purpose
        self.isFresh = isFresh
        self.begunAt = begunAt
        self.continuation = continuation
        self.next = next
    }

    /// Without ``continuation``, which is already sealed.
    var payload: [UInt8] {
        var object = JSONObject()
        object["provider"] = .string(provider.description)
        object["fresh"] = .bool(isFresh)
        object["at"] = .integer(begunAt.milliseconds)
        if case .link(let person, let session) = purpose {
            object["person"] = .string(person.description)
            object["session"] = .string(session.description)
        }
        object["next"] = next.map(JSONValue.string)
        return object.bytes
    }

    /// Returns `nil` if the bytes are not from ``payload``.
    init?(payload: [UInt8], continuation: String?) {
        guard let object = try? JSONParser.parseObject(payload, maximumBytes: 1024),
            let provider = object["provider"]?.string.flatMap(Identifier<UpstreamProvider>.init),
            let isFresh = object["fresh"]?.bool, let time = object["at"]?.integer
        else { return nil }
        var purpose = Purpose.signIn
        if let name = object["person"]?.string {
            guard let person = Identifier<Person>(name),
                let session = object["session"]?.string.flatMap(Identifier<Session>.init)
            else { return nil }
            purpose = .link(person, session)
        }
        self.init(
            provider: provider, purpose: purpose, isFresh: isFresh,
            begunAt: Timestamp(milliseconds: time), continuation: continuation,
            next: object["next"]?.string)
    }
}

/// The `state` of a request to an upstream provider, with the values that are derived from it for
/// one browser.
package struct UpstreamState: Sendable {
    /// The value of the parameter `state`.
    package let text: String
    private let browser: [UInt8]
    private let project: Identifier<Project>
    private let secrets: DerivedKeys

    static func make(browser: [UInt8], in context: CeremonyContext) -> UpstreamState {
        UpstreamState(text: context.provider.newSecret(), browser: browser, in: context)
    }

    /// - Parameters:
    ///   - text: the value of the callback.
    ///   - browser: the secret from the browser's cookie.
    package init(text: String, browser: [UInt8], in context: CeremonyContext) {
        self.text = text
        self.browser = browser
        project = context.project
        secrets = context.provider.secrets
    }

    /// The value of the cookie.
    func seal(_ attempt: UpstreamTransaction, random: any RandomSource) throws -> String {
        let sealed = try secrets.lend(
            attempt.payload, context: sealing(attempt.continuation), random: random)
        return [Base64URL.encode(sealed), attempt.continuation].compactMap(\.self)
            .joined(separator: ".")
    }

    /// Opens the transaction of a cookie. Returns `nil` if it is expired, or of another state,
    /// browser or project.
    package func attempt(in cookie: String, now: Timestamp) -> UpstreamTransaction? {
        let parts = cookie.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        let continuation = parts.dropFirst().first
        guard let sealed = parts.first.flatMap({ Base64URL.decode($0) }),
            let opened = secrets.openLent(sealed, context: sealing(continuation)),
            let attempt = UpstreamTransaction(payload: opened, continuation: continuation),
            now < attempt.expiresAt
        else { return nil }
        return attempt
    }

    /// The context includes the continuation, so that it cannot be exchanged in the cookie.
    private func sealing(_ continuation: String?) -> String {
        "upstream/\(project)/\(Base64URL.encode(hash))/\(continuation ?? "")"
    }

    var hash: [UInt8] { derive("state") }
    /// 43 characters (RFC 7636 section 4.1).
    var verifier: String { Base64URL.encode(derive("verifier")) }
    var nonce: String { Base64URL.encode(derive("nonce")) }

    private func derive(_ purpose: String) -> [UInt8] {
        let length = UInt8(clamping: browser.count)
        return secrets.hash(
            Array("\(purpose)\u{0}".utf8) + [length] + browser + Array(text.utf8), for: .upstream)
    }
}

extension CeremonyContext {
    /// Consumes the transaction. Exactly one caller receives `true`.
    func use(_ attempt: UpstreamTransaction, _ state: UpstreamState) async throws -> Bool {
        try await store.challenges.markUsed(
            OneTimeIdentifier(.upstreamAttempt, key: state.hash), expiresAt: attempt.expiresAt)
    }
}
