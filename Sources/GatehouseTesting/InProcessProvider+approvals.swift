// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage

/// A client that sends approval requests: a bank, or a page on another device.
public struct ApprovalRequester: Sendable {
    let provider: InProcessProvider
    let secret: String

    /// The client that asks.
    public static let clientID = "asker"

    /// The identifier to poll with, and the code to display if the person is unknown.
    public struct Request: Sendable {
        /// `auth_req_id`.
        public let id: String
        /// `nil` if the request names a person.
        public let code: String?
    }

    /// What came of it.
    public enum Result: Sendable, Hashable {
        /// The `answer` that the installation has signed, as the ID token has it.
        case approved(answer: String)
        /// `authorization_pending`, `access_denied`, `expired_token` …
        case refused(String)
    }

    /// Sends an approval request.
    ///
    /// - Parameters:
    ///   - userID: The person; with `nil`, the one who enters the code.
    ///   - message: What it is about, in a line.
    ///   - transactionText: What is to be signed, word by word.
    public func ask(
        _ userID: String?, message: String = "", transactionText: String = ""
    ) async throws -> Request {
        var form = ["scope": "openid", "binding_message": message]
        form["transaction_text"] = transactionText
        form[userID == nil ? "approval_code" : "login_hint"] = userID ?? "true"
        let answer = try await post("/bc-authorize", form)
        guard let id = answer["auth_req_id"]?.string else {
            throw InProcessProvider.OperationError(reason: answer["error"]?.string ?? "no answer")
        }
        return Request(id: id, code: answer["approval_code"]?.string)
    }

    /// Asks what came of it, once. What was approved is given out once.
    public func result(of request: Request) async throws -> Result {
        let answer = try await post(
            "/token",
            ["grant_type": TokenRequest.backchannelGrantType, "auth_req_id": request.id])
        if let error = answer["error"]?.string { return .refused(error) }
        let parts = (answer["id_token"]?.string ?? "").split(separator: ".")
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
            let claims = try? JSONParser.parseObject(payload, maximumBytes: 65_536),
            let signed = claims["approval"]?["answer"]?.string
        else { throw InProcessProvider.OperationError(reason: "no approval in the ID token") }
        return .approved(answer: signed)
    }

    private func post(_ path: String, _ form: [String: String]) async throws -> JSONObject {
        let fields = form.merging(["client_id": Self.clientID, "client_secret": secret]) { $1 }
        let body = FormEncoding.encode(fields.map { (name: $0.key, value: $0.value) })
        let answer = try await provider.response(
            to: .init(
                InProcessProvider.issuer + path, method: "POST",
                headers: [(name: "content-type", value: "application/x-www-form-urlencoded")],
                body: Array(body.utf8)))
        return try JSONParser.parseObject(answer.body, maximumBytes: 65_536)
    }
}

extension InProcessProvider {
    /// Switches approvals on, and makes a client that asks for them.
    public func approvalAsker() async throws -> ApprovalRequester {
        try await change { $0.policy.registration.approvals.enabled = true }
        guard let tenant = try await provider.tenant(named: "default") else {
            throw OperationError(reason: "no project")
        }
        let secret = provider.newSecret()
        var client = Client(
            id: Identifier(now: provider.clock.now, random: provider.random),
            project: tenant.project.id, clientID: ApprovalRequester.clientID,
            metadata: ClientMetadata(),
            secretHash: provider.secrets.hash(secret.utf8, for: .clientSecret),
            createdAt: provider.clock.now)
        client.metadata.clientName = "The bank"
        client.metadata.tokenEndpointAuthMethod = "client_secret_post"
        client.metadata.grantTypes = [TokenRequest.backchannelGrantType]
        client.metadata.scope = "openid"
        client.metadata.idTokenSignedResponseAlg = "ES256"
        guard try await provider.store.clients.add(client) else {
            throw OperationError(reason: "no client")
        }
        provider.clients.invalidate()
        return ApprovalRequester(provider: self, secret: secret)
    }
}
