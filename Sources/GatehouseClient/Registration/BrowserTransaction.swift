// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import UserClient

/// The state of a registration in a browser, as it is stored before each step
/// (`docs/protocols/browser-registration.md`). The response may arrive in another process: the
/// system can end an app while its browser is open.
struct BrowserTransaction: Sendable, Equatable {
    /// The values that bind the response to this registration.
    var secrets: BrowserSignIn.Secrets
    var startedAt: Timestamp
    /// The scopes of the installation's tokens; `nil` for those of the configuration.
    var scopes: [String]?
    /// The parameters of the page.
    var parameters: [String: String]
    /// The access token, after the code was redeemed.
    var token: Secret?
    var provenAt: Timestamp?

    /// The time for a response.
    static let lifetime = TimeSpan.hours(1)
    /// The time in which the token is evidence. The provider accepts ten minutes since the sign-in,
    /// which may be up to five minutes before the code.
    static let evidenceLifetime = TimeSpan.minutes(5)
    /// `max_age` of the page, in seconds.
    static let maximumAge: Int64 = 300

    init(
        secrets: BrowserSignIn.Secrets, startedAt: Timestamp, scopes: [String]?,
        parameters: [String: String]
    ) {
        self.secrets = secrets
        self.startedAt = startedAt
        self.scopes = scopes
        self.parameters = parameters
    }

    /// Whether a response is still accepted. Not if the clock was set back.
    func isOpen(at now: Timestamp) -> Bool { now >= startedAt && now < startedAt + Self.lifetime }

    /// Whether the token is evidence.
    func isProven(at now: Timestamp) -> Bool {
        guard token != nil, let provenAt else { return false }
        return now >= provenAt && now < provenAt + Self.evidenceLifetime
    }

    /// Discards the token, for another sign-in with the same key.
    mutating func restart(_ secrets: BrowserSignIn.Secrets, at now: Timestamp) {
        self.secrets = secrets
        startedAt = now
        (token, provenAt) = (nil, nil)
    }

    var object: JSONObject {
        var object = JSONObject()
        object["verifier"] = .string(secrets.verifier)
        object["state"] = .string(secrets.state)
        object["nonce"] = .string(secrets.nonce)
        object["started_at"] = .integer(startedAt.milliseconds)
        object["scopes"] = scopes.map { .array($0.map(JSONValue.string)) }
        object["parameters"] = .object(
            JSONObject(
                parameters.sorted { $0.key < $1.key }
                    .map { .init(name: $0.key, value: .string($0.value)) }))
        object["token"] = token.map { .string($0.revealText()) }
        object["proven_at"] = provenAt.map { .integer($0.milliseconds) }
        return object
    }

    /// Returns `nil` if the object is not from ``object``.
    init?(_ object: JSONObject) {
        guard let verifier = object["verifier"]?.string, let state = object["state"]?.string,
            let nonce = object["nonce"]?.string, let started = object["started_at"]?.integer
        else { return nil }
        let members = object["parameters"]?.object?.members ?? []
        self.init(
            secrets: .init(verifier: verifier, state: state, nonce: nonce),
            startedAt: Timestamp(milliseconds: started), scopes: object["scopes"]?.strings,
            parameters: members.reduce(into: [:]) { $0[$1.name] = $1.value.string })
        token = object["token"]?.string.map { Secret($0) }
        provenAt = object["proven_at"]?.integer.map(Timestamp.init(milliseconds:))
    }
}
