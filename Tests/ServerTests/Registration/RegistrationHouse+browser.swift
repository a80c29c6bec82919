// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import Storage
import Support
import Testing

/// Registrations by the authorization code flow (method `oidc`).
extension RegistrationHouse {
    /// The token response of a person who signs in in a browser.
    ///
    /// - Parameter key: The key to which the code and the tokens are bound.
    func browserTokens(
        _ key: AppKey, scope: String = "openid registration", cookie: String? = nil,
        client: String = "shop"
    ) async throws -> JSONObject {
        try await oauth.change(client: client) {
            $0.metadata.scope = "openid profile offline_access registration"
        }
        let signedIn = if let cookie { cookie } else { try await oauth.signIn().cookie }
        let code = try await oauth.code(
            client, cookie: signedIn,
            ["scope": scope, "dpop_jkt": key.pair.publicKey.thumbprintText])
        let form = [
            "grant_type": "authorization_code", "code": code,
            "redirect_uri": OAuthHouse.redirectURI, "code_verifier": OAuthHouse.verifier,
        ]
        var headers = try proof(of: key)
        headers[.authorization] = OAuthHouse.basic(client)[.authorization]
        return try oauth.json(try await oauth.post("/token", form, headers: headers))
    }

    func browserToken(
        _ key: AppKey, scope: String = "openid registration", cookie: String? = nil,
        client: String = "shop"
    ) async throws -> String {
        let tokens = try await browserTokens(key, scope: scope, cookie: cookie, client: client)
        return try #require(tokens["access_token"]?.string)
    }

    /// - Parameter proof: Of the key of the token, if it is not `key`.
    func browserRegistration(
        _ token: String, key: AppKey? = nil, provenBy proof: AppKey? = nil
    ) async throws -> AppRegistrationRequest {
        var request = try await self.request(.oidc, token: "", key: try key ?? AppKey())
        request.evidence = JSONObject([.init(name: "access_token", value: .string(token))])
        if let proof {
            request.evidence["proof"] = .string(
                try ProofMaker(proof.pair).proof(
                    .post, "/registration", now: oauth.clock.now, token: token))
        }
        return request
    }

    func proof(of key: AppKey) throws -> HTTPFields {
        let name = try #require(HTTPField.Name("DPoP"))
        return [name: try ProofMaker(key.pair).proof(.post, "/token", now: oauth.clock.now)]
    }
}

extension JSONObject {
    /// The response to a registration without the nonce for the next request.
    var withoutNext: JSONObject { JSONObject(members.filter { $0.name != "next" }) }
}
