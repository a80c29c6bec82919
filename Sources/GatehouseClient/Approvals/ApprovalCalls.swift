// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives

/// The requests of an installation about approvals (`docs/approvals.md`).
struct ApprovalCalls: Sendable {
    let connection: ProviderConnection
    let profiles: ProfileStore
    let session: UserSession

    // MARK: Enrolling

    private static let enrollment = "approval_enrollment"

    func enroll(pushToken: String?) async throws {
        var body = JSONObject()
        body["push_token"] = pushToken.map(JSONValue.string)
        do {
            _ = try await session.object("PUT", Self.enrollment, .object(body), in: .approvals)
        } catch let error as IdentityError where error.code == .notRegistered {
            // The person has signed in without registering, so the profile has no key.
            throw IdentityError(
                .approvals, .approvalsNotOffered, "the profile has no key to sign with",
                serverCode: error.serverCode)
        }
    }

    func unenroll() async throws {
        _ = try await session.object("DELETE", Self.enrollment, in: .approvals)
    }

    func enrollment() async throws -> Approvals.Enrollment? {
        let answer: JSONObject
        do {
            answer = try await session.object("GET", Self.enrollment, in: .approvals)
        } catch let error as IdentityError where error.code == .notEnrolled { return nil }
        guard let hasToken = answer["has_push_token"]?.bool,
            let time = answer["enrolled_at"]?.string.flatMap({ Timestamp(rfc3339: $0) })
        else { throw Self.unreadable }
        return Approvals.Enrollment(enrolledAt: time.date, hasPushToken: hasToken)
    }

    // MARK: Pending requests

    func pending() async throws -> [ApprovalRequest] {
        try await session.items("approvals", in: .approvals).map { item in
            guard let request = ApprovalRequest(item, of: session.profile) else {
                throw Self.unreadable
            }
            return request
        }
    }

    func claim(_ code: String) async throws -> ApprovalRequest {
        let answer = try await session.object(
            "POST", "approval_claim", ["code": .string(code)], in: .approvals)
        guard let request = ApprovalRequest(.object(answer), of: session.profile) else {
            throw Self.unreadable
        }
        return request
    }

    // MARK: Responding

    /// Signs the response and sends it. It is sent again if the provider's reply was lost, because
    /// the provider accepts the same response twice.
    func respond(
        to request: ApprovalRequest, _ isApproved: Bool, by profile: StoredProfile
    ) async throws {
        let answer = SignedApprovalResponse(
            userID: profile.userID, audience: connection.configuration.issuer,
            nonce: request.nonce, approval: request.id, clientID: request.clientID,
            message: request.message, transaction: request.transactionText,
            decision: isApproved ? .approved : .denied,
            signedAt: connection.providerClock.now.seconds)
        let signed = try await KeySignature.jws(
            payload: answer.json, typ: SignedApprovalResponse.type, kid: profile.keyID,
            by: try await profiles.key(of: profile))
        _ = try await session.object(
            "POST", "approvals", below: "/" + request.id, ["answer": .string(signed)],
            isRepeatable: true, in: .approvals)
    }

    private static let unreadable = IdentityError(
        .approvals, .invalidAnswer, "the response about approvals cannot be parsed")
}
