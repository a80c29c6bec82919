// SPDX-License-Identifier: Apache-2.0
import JOSE
import Logging
import Primitives
package import ProviderCore
import Storage

/// A sender that posts one signed request to `registration.approvals.push_url`, a service of the
/// operator that sends the push notifications (docs/approvals.md). It does nothing if no URL is
/// configured.
package struct WebhookPushSender: PushSender {
    /// `typ` of the signature. The format is that of requests to custom registration providers.
    package static let type = "gatehouse-push"

    /// Request timeout in seconds. The response to the client is delayed until the request ends.
    private static let patience: Int64 = 5
    /// Seconds from `iat` to `exp` of the request.
    private static let lifetime: Int64 = 60

    package init() {}

    package func send(_ notice: PushNotification, for tenant: Tenant, of provider: Provider) async {
        let url = tenant.project.policy.registration.approvals.pushURL
        guard !notice.targets.isEmpty, let address = OutgoingURL(url) else { return }
        do {
            let body = Self.body(notice, for: tenant, audience: url, provider)
            let signer = try await provider.keys.signer(for: tenant)
            let signature = try CustomProviderRequest.signature(
                over: body, by: signer, typ: Self.type)
            let request = OutgoingRequest(
                "POST", address,
                headers: [
                    (name: "content-type", value: "application/json"),
                    (name: CustomProviderRequest.signatureField, value: signature),
                ], body: body, maximumResponseLength: 4096, seconds: Self.patience)
            let answer = try await provider.http.send(request)
            guard (200...299).contains(answer.status) else {
                return complain("HTTP \(answer.status)", notice, provider)
            }
        } catch { complain("\(error)", notice, provider) }
    }

    private static func body(
        _ notice: PushNotification, for tenant: Tenant, audience: String, _ provider: Provider
    ) -> [UInt8] {
        let now = provider.clock.now.seconds
        var body = JSONWriter(capacity: 512)
        body.member("iss", tenant.issuer)
        body.member("aud", audience)
        body.member("jti", Base64URL.encode(provider.random.bytes(16)))
        body.member("iat", now)
        body.member("exp", now + lifetime)
        body.member("event", "approval")
        body.member("approval", notice.approval.description)
        body.member("user_id", notice.person.description)
        body.member("expires_at", notice.expiresAt.rfc3339)
        body.member(
            "installations",
            .array(
                notice.targets.map {
                    [
                        "installation_id": .string($0.installation.description),
                        "push_token": .string($0.token),
                    ]
                }))
        return body.finish()
    }

    private func complain(_ reason: String, _ notice: PushNotification, _ provider: Provider) {
        provider.log.warning(
            "a push was not sent",
            metadata: ["approval": "\(notice.approval)", "reason": "\(reason)"])
    }
}
