// SPDX-License-Identifier: Apache-2.0

/// The token requests of the client `app`, and of the client `service`, which has no people.
struct TokenRequests {
    static let app = "app"
    static let service = "service"

    let port: Int

    private func post(
        _ path: String, _ fields: [(String, String)], by client: String = app
    ) throws -> HTTPAnswer {
        let credentials = basicAuthorization(client, DeclaredState.secret)
        return try exchangeNow(.form(path, fields, headers: [credentials]), port: port)
    }

    func redeem(_ code: String) throws -> HTTPAnswer {
        try post(
            "/token",
            [
                ("grant_type", "authorization_code"), ("code", code),
                ("redirect_uri", LoadClient.callback), ("code_verifier", PKCEPair.verifier),
            ])
    }

    func refresh(_ token: String) throws -> HTTPAnswer {
        try post("/token", [("grant_type", "refresh_token"), ("refresh_token", token)])
    }

    func requestCredentials() throws -> HTTPAnswer {
        try post("/token", [("grant_type", "client_credentials")], by: Self.service)
    }

    func introspect(_ token: String, by client: String) throws -> HTTPAnswer {
        try post("/introspect", [("token", token)], by: client)
    }

    func revoke(_ token: String) throws -> HTTPAnswer {
        try post("/revoke", [("token", token), ("token_type_hint", "refresh_token")])
    }
}

extension HTTPAnswer {
    /// The refresh token of a token response; `nil` for a refusal.
    var refreshToken: String? { status == 200 ? json?["refresh_token"] as? String : nil }
}
