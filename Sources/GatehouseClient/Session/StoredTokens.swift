// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The tokens of a sign-in or renewal.
struct StoredTokens: Sendable, Equatable {
    var accessToken: Secret
    var isBoundToKey: Bool
    var obtainedAt: Timestamp
    var expiresAt: Timestamp
    var refreshToken: Secret?
    var scope: String
    /// Verified when it came.
    var idToken: String?
    /// The number of sign-ins and renewals. The tokens with the higher number are active. Times
    /// cannot decide that, because clocks can be set back.
    var generation: Int64 = 0

    /// The step back of this device's clock from which tokens are treated as expired, because their
    /// age is unknown.
    static let toleratedStepBack = TimeSpan.seconds(60)

    /// Whether the access token is valid for that duration. If the provider issues only shorter
    /// ones, half of the lifetime suffices, because a renewal could not achieve more.
    func isGood(for need: TimeSpan, at now: Timestamp) -> Bool {
        let life = expiresAt - obtainedAt
        let need = need < life ? need : TimeSpan(milliseconds: life.milliseconds / 2)
        return now + Self.toleratedStepBack >= obtainedAt && now + need < expiresAt
    }

    /// The time of a renewal in advance: in the last fifth of the lifetime, at least one minute and
    /// at most ten before the expiry.
    var renewsAt: Timestamp {
        let fifth = (expiresAt - obtainedAt).milliseconds / 5
        return expiresAt - TimeSpan(milliseconds: min(max(fifth, 60_000), 600_000))
    }

    /// The record for the store, with the secrets.
    var json: [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.member("format", 1)
        writer.member("access_token", accessToken.revealText())
        writer.member("bound", isBoundToKey)
        writer.member("obtained_at", obtainedAt.milliseconds)
        writer.member("expires_at", expiresAt.milliseconds)
        writer.member("refresh_token", ifPresent: refreshToken?.revealText())
        writer.member("scope", scope)
        writer.member("id_token", ifPresent: idToken)
        writer.member("generation", generation)
        return writer.finish()
    }

    init(
        accessToken: Secret, isBoundToKey: Bool, obtainedAt: Timestamp, expiresAt: Timestamp,
        refreshToken: Secret?, scope: String, idToken: String?
    ) {
        self.accessToken = accessToken
        self.isBoundToKey = isBoundToKey
        self.obtainedAt = obtainedAt
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
        self.scope = scope
        self.idToken = idToken
    }

    /// `nil` for what ``json`` has not written.
    init?(json bytes: [UInt8]) {
        guard let object = try? JSONParser.parseObject(bytes, maximumBytes: 262_144),
            object["format"]?.integer == 1, let accessToken = object["access_token"]?.string,
            let isBound = object["bound"]?.bool,
            let obtainedAt = object["obtained_at"]?.integer,
            let expiresAt = object["expires_at"]?.integer, let scope = object["scope"]?.string,
            let generation = object["generation"]?.integer
        else { return nil }
        self.init(
            accessToken: Secret(accessToken), isBoundToKey: isBound,
            obtainedAt: Timestamp(milliseconds: obtainedAt),
            expiresAt: Timestamp(milliseconds: expiresAt),
            refreshToken: object["refresh_token"]?.string.map { Secret($0) }, scope: scope,
            idToken: object["id_token"]?.string)
        self.generation = generation
    }
}
