// SPDX-License-Identifier: Apache-2.0
import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The approval requests for the people of this app.
///
/// ```swift
/// try await client.approvals.enroll(profile.id, pushToken: token)
/// for try await request in client.approvals.requests(for: profile.id) {
///     try await answer(client.approvals.handle(request))
/// }
/// ```
///
/// The SDK does not poll. Call ``received()`` for each push.
public struct Approvals: Sendable {
    let dependencies: ClientDependencies
    let sessions: SessionRegistry

    /// The enrolment of an installation for approval requests.
    public struct Enrollment: Sendable, Hashable {
        /// The time of the enrolment.
        public let enrolledAt: Date
        /// Whether the provider has a push token of this installation.
        public let hasPushToken: Bool
    }

    // MARK: Enrolling

    /// Enrols this installation for approval requests. Repeat the call if the push token changes.
    ///
    /// - Parameters:
    ///   - profile: The person.
    ///   - pushToken: The value with which the operator's push service reaches this installation, 1
    ///     to 4,096 bytes; `nil` for no pushes.
    /// - Throws: ``IdentityError/Code/approvalsNotOffered`` if the project has no approvals, or the
    ///   profile has no key to sign with.
    public func enroll(_ profile: Profile.ID, pushToken: String? = nil) async throws {
        try await IdentityError.surfacing(.approvals) {
            try await calls(profile).enroll(pushToken: pushToken)
        }
    }

    /// Ends the enrolment of this installation.
    public func unenroll(_ profile: Profile.ID) async throws {
        try await IdentityError.surfacing(.approvals) { try await calls(profile).unenroll() }
    }

    /// Returns the enrolment of this installation; `nil` if it is not enrolled.
    public func enrollment(of profile: Profile.ID) async throws -> Enrollment? {
        try await IdentityError.surfacing(.approvals) { try await calls(profile).enrollment() }
    }

    // MARK: Pending requests

    /// Returns the pending requests, the oldest first.
    ///
    /// - Throws: ``IdentityError/Code/notEnrolled``.
    public func pending(for profile: Profile.ID) async throws -> [ApprovalRequest] {
        try await IdentityError.surfacing(.approvals) { try await calls(profile).pending() }
    }

    /// Claims the request whose code is displayed in a browser. Only this installation can respond
    /// to it then.
    ///
    /// - Parameters:
    ///   - code: The code of eight characters, in any notation, or a URL with the parameter
    ///     `approval_code`, as in a QR code.
    ///   - profile: The person who responds.
    /// - Throws: ``IdentityError/Code/approvalNotFound``, and
    ///   ``IdentityError/Code/tooManyRequests`` after too many wrong codes.
    public func resolve(code: String, for profile: Profile.ID) async throws -> ApprovalRequest {
        try await IdentityError.surfacing(.approvals) {
            try await calls(profile).claim(Self.code(in: code))
        }
    }

    private static func code(in scanned: String) -> String {
        URL(string: scanned).flatMap { BrowserRequest.parameters(of: $0)?["approval_code"] }
            ?? scanned
    }

    /// Returns the pending requests and all later ones, each once.
    ///
    /// They are fetched at the start and at each ``received()``; there is no polling. A missing
    /// connection does not end the sequence.
    public func requests(for profile: Profile.ID) -> ApprovalRequests {
        ApprovalRequests(approvals: self, profile: profile)
    }

    /// Has all readers of ``requests(for:)`` fetch the pending requests. Call it if a push arrives,
    /// or the app enters the foreground.
    public func received() { dependencies.approvalBell.ring() }

    // MARK: Responding

    /// Prompts the person, and sends the response. An approval requires the PIN or biometrics if the
    /// profile has them. The key of the installation signs each response, over everything that was
    /// displayed.
    ///
    /// - Throws: The flow throws ``IdentityError`` of the domain `approvals`:
    ///   ``IdentityError/Code/approvalHandled`` if another device has responded, and
    ///   ``IdentityError/Code/approvalNotFound`` if the request has expired.
    public func handle(_ request: ApprovalRequest) -> ApprovalFlow {
        ApprovalFlow(.approvals) { prompter in
            let profile = try await dependencies.profiles.existingProfile(request.profile.id)
            let removal = ProfileRemoval(dependencies: dependencies, sessions: sessions)
            return try await removal.removingIfEnded(profile) {
                try await respond(to: request, by: profile, with: prompter)
            }
        }
    }

    private func respond(
        to request: ApprovalRequest, by profile: StoredProfile,
        with prompter: FlowPrompter<ApprovalStep>
    ) async throws -> ApprovalOutcome {
        let isApproved = try await prompter.prompt { continuation in
            ApprovalStep.confirm(ApprovalChallenge(request, continuation: continuation))
        }
        guard isApproved, profile.hasPIN else {
            try await calls(profile.id).respond(to: request, isApproved, by: profile)
            return isApproved ? .approved : .denied
        }
        // Other authenticators are one factor and do not replace the PIN.
        let authenticator = profile.authenticatorsInOrder.first { $0 == .pin || $0 == .biometric }
        let session = try await SignInService(dependencies: dependencies, sessions: sessions)
            .authenticate(
                profile, using: authenticator, with: prompter.map { ApprovalStep($0) })
        try await calls(session).respond(to: request, true, by: profile)
        return .approved
    }

    /// Returns the calls with an active session, or one that starts without a prompt.
    private func calls(_ id: Profile.ID) async throws -> ApprovalCalls {
        do {
            return calls(try await sessions.session(for: id))
        } catch let error as IdentityError where error.code == .notSignedIn {
            let profile = try await dependencies.profiles.existingProfile(id)
            guard profile.signsInAlone else {
                throw IdentityError(.approvals, .notSignedIn, "the person is not signed in")
            }
            let signIn = DeviceKeySignIn(dependencies: dependencies, sessions: sessions)
            return calls(try await signIn.signIn(profile, in: .approvals))
        }
    }

    private func calls(_ session: UserSession) -> ApprovalCalls {
        ApprovalCalls(
            connection: dependencies.connection, profiles: dependencies.profiles, session: session)
    }
}
