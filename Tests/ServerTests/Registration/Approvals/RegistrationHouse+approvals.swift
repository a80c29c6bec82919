// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import Storage
import Support
import Testing

/// The requests of the client `bank` to a person with an app, and the app's responses.
extension RegistrationHouse {
    func ask(_ userID: String) async throws -> JSONObject {
        try oauth.json(
            try await oauth.post(
                "/bc-authorize",
                [
                    "scope": "openid offline_access", "login_hint": userID,
                    "binding_message": "Pay 5 € to Carla",
                ], headers: OAuthHouse.basic("bank")))
    }

    func poll(_ id: String) async throws -> JSONObject {
        oauth.clock.advance(by: .seconds(10))
        return try oauth.json(
            try await oauth.post(
                "/token", ["grant_type": TokenRequest.backchannelGrantType, "auth_req_id": id],
                headers: OAuthHouse.basic("bank")))
    }

    /// Something that they were asked and said yes to, with that key.
    ///
    /// - Parameter hint: what the client calls them by; their identifier when there is none.
    func approved(
        by userID: String, _ key: AppKey, token: String, calledBy hint: String? = nil
    ) async throws -> String {
        let id = try #require(try await ask(hint ?? userID)["auth_req_id"]?.string)
        let listed = try await call(.get, "/registration/approvals", token: token)
        let shown = try #require(listed.body["items"]?.array?.first)
        let answer = SignedApprovalResponse(
            userID: userID, audience: OAuthHouse.issuer, nonce: shown["nonce"]?.string ?? "",
            approval: shown["id"]?.string ?? "", clientID: shown["client_id"]?.string ?? "",
            message: shown["message"]?.string ?? "",
            transaction: shown["transaction_text"]?.string ?? "", decision: .approved,
            signedAt: now)
        let jws = try key.signer.sign(payload: answer.json, typ: SignedApprovalResponse.type)
        let answered = try await call(
            .post, "/registration/approvals/\(shown["id"]?.string ?? "")",
            ["answer": .string(String(decoding: jws, as: UTF8.self))], token: token)
        #expect(answered.status == 204, "\(answered.body)")
        return id
    }
}
