// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The response to a login or refresh request, before encryption and after decryption.
package struct LoginResponse: Sendable, Equatable {
    /// A signed ID token whose `nonce` is the request's.
    package var idToken: String
    package var refreshToken: Secret
    package var refreshTokenExpiresIn: TimeSpan?
    package var expiresIn: TimeSpan?
    /// Devices expect `Bearer` and do not check it.
    package var tokenType: String
    package var accessToken: String?
    /// All other members: dictionaries of Kerberos tickets, and members that an extension reads
    /// from its `ssoTokens`.
    package var more: JSONObject

    package init(
        idToken: String, refreshToken: Secret, refreshTokenExpiresIn: TimeSpan,
        expiresIn: TimeSpan, accessToken: String? = nil, more: JSONObject = JSONObject()
    ) {
        self.idToken = idToken
        self.refreshToken = refreshToken
        self.refreshTokenExpiresIn = refreshTokenExpiresIn
        self.expiresIn = expiresIn
        self.accessToken = accessToken
        self.more = more
        tokenType = "Bearer"
    }

    /// The compact JWE for the device, `Content-Type` ``MessageType/mediaType`` of
    /// ``MessageType/loginResponse``, `Cache-Control: no-store, no-cache`.
    package func sealed(
        for response: ResponseEncryption, random: some RandomSource
    ) throws(JOSEError) -> [UInt8] {
        try response.seal(json, type: .loginResponse, random: random)
    }

    package var json: [UInt8] {
        var object = JSONObject([.init(name: "id_token", value: .string(idToken))])
        object["refresh_token"] = .string(refreshToken.revealText())
        object["refresh_token_expires_in"] = refreshTokenExpiresIn.map { .integer($0.seconds) }
        object["expires_in"] = expiresIn.map { .integer($0.seconds) }
        object["token_type"] = .string(tokenType)
        object["access_token"] = accessToken.map(JSONValue.string)
        for member in more.members where object[member.name] == nil {
            object[member.name] = member.value
        }
        return object.bytes
    }

    private static let names: Set<String> = [
        "id_token", "refresh_token", "refresh_token_expires_in", "expires_in", "token_type",
        "access_token",
    ]

    /// Reads what a ``SealedResponse`` held.
    ///
    /// - Throws: `claimMissing`, `claimMalformed`.
    package init(_ members: JSONObject) throws(PlatformSSORefusal) {
        let claims = MessageClaims(members)
        idToken = try claims.requiredText("id_token", maximumBytes: 65_536)
        refreshToken = try claims.reader.required("refresh_token", .shortSecret)
        refreshTokenExpiresIn = try claims.span("refresh_token_expires_in")
        expiresIn = try claims.span("expires_in")
        guard refreshTokenExpiresIn != nil || expiresIn != nil else {
            throw PlatformSSORefusal(
                .claimMissing, "neither refresh_token_expires_in nor expires_in is there")
        }
        tokenType = try claims.text("token_type") ?? "Bearer"
        accessToken = try claims.text("access_token", maximumBytes: 65_536)
        more = JSONObject(members.members.filter { !Self.names.contains($0.name) })
    }

    /// The lifetime of the refresh token: its specific value, otherwise that of the response.
    package var refreshLifetime: TimeSpan {
        refreshTokenExpiresIn ?? expiresIn ?? .seconds(0)
    }
}
