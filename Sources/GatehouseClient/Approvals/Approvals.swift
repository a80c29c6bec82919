// SPDX-License-Identifier: Apache-2.0
import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension IdentityClient {
    /// What others ask people to approve in this app: a payment, a sign-in elsewhere.
    public nonisolated var approvals: Approvals { Approvals(client: self) }
}

/// What others ask people to approve in this app.
///
/// ```swift
/// try await client.approvals.enroll(profile.id, pushToken: token)
/// for try await request in client.approvals.requests(for: profile.id) {
///     try await answer(client.approvals.handle(request))
/// }
/// ```
///
/// Nothing asks on its own: when a push comes, say ``received()``.
public struct Approvals: Sendable {
    let client: IdentityClient

    /// Whether, and how, an installation is asked.
    public struct Enrollment: Sendable, Hashable {
        /// Since when.
        public let enrolledAt: Date
        /// Whether the provider knows where pushes reach this installation.
        public let hasPushToken: Bool
    }

    // MARK: Enrolling

    /// Has this installation asked from now on. Say it again when the push token has changed.
    ///
    /// - Parameters:
    ///   - profile: Whose approvals.
    ///   - pushToken: Whatever the operator's pushing service needs to reach this installation, 1 to
    ///     4,096 bytes; with `nil` there are no pushes.
    /// - Throws: ``IdentityError/Code/approvalsNotOffered`` when the project asks for no approvals,
    ///   or the profile has no key that could sign one.
    public func enroll(_ profile: Profile.ID, pushToken: String? = nil) async throws {
        try await IdentityError.surfacing(.approvals) {
            try await calls(profile).enroll(pushToken: pushToken)
        }
    }

    /// Has this installation asked no more.
    public func unenroll(_ profile: Profile.ID) async throws {
        try await IdentityError.surfacing(.approvals) { try await calls(profile).unenroll() }
    }

    /// Whether this installation is asked; `nil` when it is not.
    public func enrollment(of profile: Profile.ID) async throws -> Enrollment? {
        try await IdentityError.surfacing(.approvals) { try await calls(profile).enrollment() }
    }

    // MARK: What waits

    /// What waits for the person's answer, the oldest first.
    ///
    /// - Throws: ``IdentityError/Code/notEnrolled``.
    public func pending(for profile: Profile.ID) async throws -> [ApprovalRequest] {
        try await IdentityError.surfacing(.approvals) { try await calls(profile).pending() }
    }

    /// The approval whose code is shown in a browser, scanned or typed. It is this installation's
    /// to answer then, and nobody else's.
    ///
    /// - Parameters:
    ///   - code: Eight letters, however they are written, or an address with the code as its
    ///     parameter `approval_code`: what a QR code holds.
    ///   - profile: Who answers.
    /// - Throws: ``IdentityError/Code/approvalNotFound``, and
    ///   ``IdentityError/Code/tooManyRequests`` after too many wrong ones.
    public func resolve(code: String, for profile: Profile.ID) async throws -> ApprovalRequest {
        try await IdentityError.surfacing(.approvals) {
            try await calls(profile).claim(Self.code(in: code))
        }
    }

    private static func code(in scanned: String) -> String {
        URL(string: scanned).flatMap { BrowserRequest.parameters(of: $0)?["approval_code"] }
            ?? scanned
    }

    /// What is asked from now on, beginning with what waits already; each request once.
    ///
    /// Looks when it begins, and whenever ``received()`` is said: there is no polling. Being
    /// offline does not end it.
    public func requests(for profile: Profile.ID) -> ApprovalRequests {
        ApprovalRequests(approvals: self, profile: profile)
    }

    /// A push has come, or the app is in front again: everybody who reads ``requests(for:)`` looks.
    public func received() { client.system.approvalBell.ring() }

    // MARK: Answering

    /// Asks the person, and sends their answer. Yes takes their PIN or their look where the profile
    /// has one; the installation's key signs both yes and no, over everything that was shown.
    ///
    /// - Throws: The flow throws ``IdentityError`` of the domain `approvals`:
    ///   ``IdentityError/Code/approvalHandled`` when it was answered elsewhere, and
    ///   ``IdentityError/Code/approvalNotFound`` when it is over.
    public func handle(_ request: ApprovalRequest) -> ApprovalFlow {
        ApprovalFlow(
            runner: FlowRunner(.approvals) { [client] asker in
                try await IdentityError.surfacing(.approvals) {
                    let stored = try await client.stored(request.profile.id)
                    return try await client.wipingWhenEnded(stored) {
                        try await answer(request, by: stored, asking: asker)
                    }
                }
            })
    }

    private func answer(
        _ request: ApprovalRequest, by profile: StoredProfile,
        asking asker: FlowAsker<ApprovalStep>
    ) async throws -> ApprovalOutcome {
        let isApproved = try await asker.ask { slot in
            ApprovalStep.confirm(ApprovalChallenge(request, slot: slot))
        }
        guard isApproved, profile.hasPIN else {
            try await calls(profile.id).answer(request, isApproved, by: profile)
            return isApproved ? .approved : .denied
        }
        // A further authenticator of another kind is one factor, and does not stand for the PIN.
        let authenticator = profile.authenticatorsInOrder.first { $0 == .pin || $0 == .biometric }
        let session = try await client.authenticate(
            profile, using: authenticator, asking: asker.asking { ApprovalStep($0) })
        try await ApprovalCalls(client: client, session: session)
            .answer(request, true, by: profile)
        return .approved
    }

    /// With the session of somebody who is signed in, or can be without being asked.
    private func calls(_ profile: Profile.ID) async throws -> ApprovalCalls {
        let session: UserSession
        do {
            session = try await client.session(for: profile)
        } catch let error as IdentityError where error.code == .notSignedIn {
            let stored = try await client.stored(profile)
            guard stored.signsInAlone else {
                throw IdentityError(.approvals, .notSignedIn, "they are not signed in")
            }
            session = try await client.signInWithKey(stored, in: .approvals)
        }
        return ApprovalCalls(client: client, session: session)
    }
}
