// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEnd {
    /// Authlib runs the flows, and joserfc verifies the tokens: both are independent.
    @Suite(
        "A relying party from PyPI",
        .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"))
    struct RelyingPartyStory {
        private static let callback = "http://localhost:1/callback"

        @Test(
            "code with PKCE, userinfo, refresh, and what must not work twice",
            arguments: [
                "client_secret_basic", "client_secret_post", "private_key_jwt",
            ], ["ES256", "RS256"])
        func code(method: String, algorithm: String) async throws {
            let key = try await peer("key")
            let isKey = method == "private_key_jwt"
            var metadata: [String: JSON] = [
                "token_endpoint_auth_method": .string(method),
                "id_token_signed_response_alg": .string(algorithm),
            ]
            if isKey {
                metadata["client_secret"] = .null
                metadata["jwks"] = ["keys": [key["public"]]]
            }
            let client = DeclaredState.web(
                "authlib-\(method)", redirect: Self.callback, metadata)
            let server = try await server(clients: [client])
            let secret = isKey ? key["private"].text : DeclaredState.secret
            let outcome = try await peer(
                "run", server.issuer, method, secret, "anna", DeclaredState.password)
            let checks = outcome["checks"].array?.compactMap(\.string) ?? []
            #expect(
                checks == [
                    "code", "id_token \(algorithm)", "access_token", "userinfo", "refresh",
                    "code twice: invalid_grant", "family revoked: invalid_grant",
                ])
            try await server.stop()
        }

        @Test("client credentials and introspection")
        func service() async throws {
            let server = try await server(clients: [DeclaredState.service("authlib-service")])
            let outcome = try await peer("service", server.issuer, DeclaredState.secret)
            #expect(outcome["typ"].string == "at+jwt")
            try await server.stop()
        }

        private func server(clients: [JSON]) async throws -> ServerProcess {
            let server = try await ServerProcess("relying-party")
            let declared = clients.map { client -> JSON in
                guard case .object(let members) = client else { return client }
                return .object(members.filter { !$0.value.isNull })
            }
            let state = DeclaredState(clients: declared, users: [DeclaredState.user("anna")])
            try await server.apply(state.text)
            return server
        }

        private func peer(_ arguments: String...) async throws -> JSON {
            let outcome = try await Command.peer("oauth/relying_party.py", arguments)
            guard outcome.status == 0 else {
                throw HarnessError("\(outcome.output)\n\(outcome.errors)")
            }
            return try JSON(parsing: Array(outcome.output.utf8))
        }
    }
}
