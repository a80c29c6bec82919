// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEnd {
    /// Client libraries as they are, with PKCE and without, on clients that state no algorithm: what an operator's
    /// first application does.
    @Suite(
        "Client libraries as they are",
        .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"))
    struct UnmodifiedLibrariesStory {
        private static let callback = "http://localhost:1/callback"

        @Test(
            "Authlib and requests-oauthlib sign a person in and read the groups in the ID token",
            arguments: [
                "authlib", "authlib-app", "requests-oauthlib", "requests-oauthlib-plain",
            ])
        func secret(library: String) async throws {
            let claims = try await claims(library, secret: DeclaredState.secret, [:])
            #expect(claims["alg"].string == "RS256")
            #expect(claims["groups"].array?.compactMap(\.string) == ["staff"])
            #expect(claims["email"].string == "anna@example.com")
            #expect(claims["preferred_username"].string == "anna")
        }

        @Test(
            "Authlib's client assertions, with its audience and its lifetime of an hour, are taken")
        func assertion() async throws {
            let key = try await peer("key")
            let claims = try await claims(
                "authlib-key", secret: key["private"].text,
                [
                    "token_endpoint_auth_method": "private_key_jwt", "client_secret": .null,
                    "jwks": ["keys": [key["public"]]],
                ])
            #expect(claims["email"].string == "anna@example.com")
        }

        private func claims(
            _ library: String, secret: String, _ metadata: [String: JSON]
        ) async throws -> JSON {
            let server = try await ServerProcess("unmodified-\(library)")
            try await server.apply(Self.state(metadata).text)
            let claims = try await peer(
                library, server.issuer, "library", secret, "anna", DeclaredState.password)
            try await server.stop()
            return claims
        }

        private static func state(_ metadata: [String: JSON]) -> DeclaredState {
            let more = metadata.merging(["scope": "openid profile email groups"]) { $1 }
            guard
                case .object(let members) = DeclaredState.web("library", redirect: callback, more),
                case .object(let anna) = DeclaredState.user("anna")
            else { return DeclaredState() }
            return DeclaredState(
                clients: [.object(members.filter { !$0.value.isNull })],
                users: [.object(anna.merging(["groups": ["staff"]]) { $1 })])
        }

        private func peer(_ arguments: String...) async throws -> JSON {
            let outcome = try await Command.peer("oauth/unmodified_clients.py", arguments)
            guard outcome.status == 0 else {
                throw HarnessError("\(outcome.output)\n\(outcome.errors)")
            }
            return try JSON(parsing: Array(outcome.output.utf8))
        }
    }
}
