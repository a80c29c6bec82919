// SPDX-License-Identifier: Apache-2.0

/// The app's way of having somebody sign in when it is needed: opens a window, and comes back when
/// it is over. See ``IdentityClient/requireSession(for:asking:)``.
public protocol SignInRequesting: Sendable {
    /// Has them sign in, or register, with any of the client's calls.
    ///
    /// - Parameters:
    ///   - profile: Who; `nil` when nobody is registered, or anybody will do.
    ///   - client: Where.
    /// - Throws: When they will not; whoever asked for a session gets it.
    func requestSignIn(_ profile: Profile?, at client: IdentityClient) async throws
}

extension IdentityClient {
    /// The session of somebody who is signed in, or signs in now: before a request that needs one,
    /// wherever in the app that is.
    ///
    /// However many ask at once, the person is asked once, and all get what comes of it. When none
    /// of them waits any more, what asks is cancelled.
    ///
    /// - Parameters:
    ///   - profile: With `nil`, whoever signed in last, or whoever signs in.
    ///   - requester: Who asks the person. Of those who come at once the first one's serves.
    /// - Throws: What the requester throws, and ``IdentityError/Code/notSignedIn`` or
    ///   ``IdentityError/Code/notRegistered`` when nobody is signed in after it.
    public func requireSession(
        for profile: Profile.ID? = nil, asking requester: some SignInRequesting
    ) async throws -> Session {
        do { return try await session(for: profile) } catch let error as IdentityError
            where error.code == .notSignedIn || error.code == .notRegistered
        {}
        let request = joinSignInRequest(of: profile) { client in
            let known = try? await client.stored(profile).shown
            try await requester.requestSignIn(known, at: client)
        }
        try await withTaskCancellationHandler {
            try await request.value
        } onCancel: {
            Task { await leaveSignInRequest(of: profile, request) }
        }
        return try await session(for: profile)
    }

    /// How many wait for people who are being asked: for tests.
    package var waitingForSignIn: Int { signInRequests.values.reduce(0) { $0 + $1.waiters } }

    private func joinSignInRequest(
        of profile: Profile.ID?, _ ask: @escaping @Sendable (IdentityClient) async throws -> Void
    ) -> Task<Void, any Error> {
        if let known = signInRequests[profile] {
            signInRequests[profile]?.waiters += 1
            return known.task
        }
        signInRequestCount += 1
        let number = signInRequestCount
        let task = Task {
            // Another may stand there by now, when everybody let go of this one.
            defer { if signInRequests[profile]?.number == number { signInRequests[profile] = nil } }
            try await ask(self)
        }
        signInRequests[profile] = SignInRequest(task: task, number: number, waiters: 1)
        return task
    }

    private func leaveSignInRequest(of profile: Profile.ID?, _ task: Task<Void, any Error>) {
        guard let known = signInRequests[profile], known.task == task else { return }
        signInRequests[profile]?.waiters -= 1
        guard known.waiters == 1 else { return }
        task.cancel()
        // Who comes now asks anew, and does not get the cancellation of others.
        signInRequests[profile] = nil
    }
}

/// One asking of a person, and how many wait for what comes of it.
struct SignInRequest: Sendable {
    let task: Task<Void, any Error>
    let number: Int
    var waiters: Int
}
