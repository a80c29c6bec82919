// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import ProviderInstallations
import Storage

/// `/registration/approvals`: what others ask a person to approve in this installation.
extension RegistrationRoutes {
    var approvalEndpoints: [RegistrationEndpoint] {
        let path = "/approvals"
        let enrollment = path + "/enrollment"
        return [
            RegistrationEndpoint(
                .get, path, "listApprovals", "What waits for the person's answer.",
                answer: "Approvals", isOpen: false, run: listApprovals),
            RegistrationEndpoint(
                .post, path + "/claim", "claimApproval",
                "Makes the approval whose code is shown in a browser this installation's.",
                body: "ApprovalCode", answer: "Approval", isOpen: false, run: claimApproval),
            RegistrationEndpoint(
                .post, path + "/{approval}", "answerApproval",
                "The person's answer, signed with the installation's key. It is idempotent.",
                body: "ApprovalAnswer", isOpen: false, run: answerApproval),
            RegistrationEndpoint(
                .get, enrollment, "readApprovalEnrollment",
                "Whether this installation receives approval requests.",
                answer: "ApprovalEnrollment",
                isOpen: false, run: readEnrollment),
            RegistrationEndpoint(
                .put, enrollment, "enrollForApprovals",
                "Enrols this installation for approval requests. The last push token is used.",
                body: "NewApprovalEnrollment", answer: "ApprovalEnrollment", isOpen: false,
                run: enroll),
            RegistrationEndpoint(
                .delete, enrollment, "unenrollFromApprovals",
                "Ends the enrolment of this installation for approval requests.", isOpen: false,
                run: unenroll),
        ]
    }

    private func account(
        _ call: RegistrationAPIRequest
    ) async throws -> Result<ApprovalAccount, Refusal> {
        try await ApprovalAccount.open(call.accessToken, in: call.context)
    }

    private func listApprovals(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await account(call) {
        case .failure(let refusal): .failure(refusal)
        case .success(let account):
            try await account.pending().map {
                .json((["items": .array($0.map(\.json))] as JSONValue).bytes)
            }
        }
    }

    private func claimApproval(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await account(call) {
        case .failure(let refusal): .failure(refusal)
        case .success(let account): try await account.claim(call.body).map { .json($0.json.bytes) }
        }
    }

    private func answerApproval(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await account(call) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let account):
            guard let answer = call.body["answer"]?.string else {
                return .failure(
                    RegistrationErrorCode.missingInput.refusal(
                        "answer is missing.", because: "answer"))
            }
            let name = call.request.parameters["approval"] ?? ""
            guard let id = Identifier<Approval>(name.lowercased()) else {
                return .failure(
                    RegistrationErrorCode.unknownApproval.refusal(because: "no such id"))
            }
            return try await account.answer(id, with: answer).map { .noContent }
        }
    }

    // MARK: Enrolling

    private func readEnrollment(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await account(call) {
        case .failure(let refusal): .failure(refusal)
        case .success(let account): try await account.enrollment().map { .json($0.json) }
        }
    }

    private func enroll(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await account(call) {
        case .failure(let refusal): .failure(refusal)
        case .success(let account): try await account.enroll(call.body).map { .json($0.json) }
        }
    }

    private func unenroll(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await account(call) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let account):
            try await account.unenroll()
            return .success(.noContent)
        }
    }
}

extension ApprovalEnrollment {
    /// The push token stays here.
    fileprivate var json: [UInt8] {
        var object = JSONWriter()
        object.member("enrolled_at", enrolledAt.rfc3339)
        object.member("has_push_token", sealedPushToken != nil)
        return object.finish()
    }
}
