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
    /// wherever in the app that is. Somebody whose tokens the provider takes no longer is asked;
    /// somebody about whom it cannot be asked now, without a network, is not.
    ///
    /// However many ask at once, the person is asked once, and all get what comes of it. Who is
    /// cancelled waits no longer; when none of them waits any more, what asks is cancelled.
    ///
    /// - Parameters:
    ///   - profile: With `nil`, whoever signed in last, or whoever signs in.
    ///   - requester: Who asks the person. Of those who come at once the first one's serves.
    /// - Throws: What the requester throws, and ``IdentityError/Code/notSignedIn`` or
    ///   ``IdentityError/Code/notRegistered`` when nobody is signed in after it.
    public func requireSession(
        for profile: Profile.ID? = nil, asking requester: some SignInRequesting
    ) async throws -> UserSession {
        let known = try? await stored(profile)
        if let session = try await livingSession(for: profile, isKnown: known != nil) {
            return session
        }
        // Whoever means the same profile by another name waits with the others.
        let isForAnybody = profile == nil && signInRequests[nil] != nil
        let key = isForAnybody ? nil : known?.id ?? profile
        try await waitForSignIn(of: key) { client in
            try await requester.requestSignIn(known?.shown, at: client)
        }
        return try await session(for: profile)
    }

    /// The session of somebody whom the provider still takes for signed in, or cannot be asked about;
    /// `nil` when they must sign in.
    private func livingSession(
        for profile: Profile.ID?, isKnown: Bool
    ) async throws -> UserSession? {
        func mustSignIn(_ error: IdentityError) -> Bool {
            switch error.code {
            case .notSignedIn, .notRegistered: true
            // Damaged tokens are replaced by a sign-in; a damaged profile by nothing.
            case .storageDamaged: isKnown
            default: false
            }
        }
        do {
            let session = try await session(for: profile)
            do { _ = try await session.accessToken() } catch let error as IdentityError {
                try Task.checkCancellation()
                if mustSignIn(error) { throw error }
            }
            return session
        } catch let error as IdentityError where mustSignIn(error) { return nil }
    }

    /// How many wait for people who are being asked: for tests.
    package var waitingForSignIn: Int { signInRequests.values.reduce(0) { $0 + $1.waiters.count } }

    private func waitForSignIn(
        of profile: Profile.ID?, _ ask: @escaping @Sendable (IdentityClient) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        signInRequestCount += 1
        let waiter = signInRequestCount
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                if signInRequests[profile] == nil { askForSignIn(of: profile, waiter, ask) }
                signInRequests[profile]?.waiters[waiter] = continuation
            }
        } onCancel: {
            Task { await leaveSignInRequest(of: profile, waiter) }
        }
    }

    private func askForSignIn(
        of profile: Profile.ID?, _ number: Int,
        _ ask: @escaping @Sendable (IdentityClient) async throws -> Void
    ) {
        let task = Task {
            let outcome: Result<Void, any Error>
            do {
                try await ask(self)
                outcome = .success(())
            } catch { outcome = .failure(error) }
            // Another may stand there by now, when everybody let go of this one.
            guard let own = signInRequests[profile], own.number == number else { return }
            signInRequests[profile] = nil
            for waiter in own.waiters.values { waiter.resume(with: outcome) }
        }
        signInRequests[profile] = SignInRequest(task: task, number: number)
    }

    private func leaveSignInRequest(of profile: Profile.ID?, _ waiter: Int) {
        guard let own = signInRequests[profile]?.waiters.removeValue(forKey: waiter) else { return }
        own.resume(throwing: CancellationError())
        guard let known = signInRequests[profile], known.waiters.isEmpty else { return }
        known.task.cancel()
        // Who comes now asks anew, and does not get the cancellation of others.
        signInRequests[profile] = nil
    }
}

/// One asking of a person, and who waits for what comes of it.
struct SignInRequest: Sendable {
    let task: Task<Void, Never>
    /// Of the waiter whom it was begun for.
    let number: Int
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
}
