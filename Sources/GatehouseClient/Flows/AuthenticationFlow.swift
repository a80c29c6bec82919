// SPDX-License-Identifier: Apache-2.0

/// A sign-in that asks the app something on its way.
///
/// A wrong PIN is no error: the same challenge comes again, with one attempt less in its budget.
public struct AuthenticationFlow: AsyncSequence, Sendable {
    /// What the app is asked.
    public typealias Element = AuthenticationStep

    let runner: FlowRunner<AuthenticationStep, Session>

    /// Waits for the end. Ask after the last step.
    public var session: Session {
        get async throws { try await runner.outcome() }
    }

    /// The steps, in the order in which they come.
    public func makeAsyncIterator() -> Iterator {
        Iterator(runner: runner, steps: runner.watch())
    }

    /// See ``AuthenticationFlow``.
    public struct Iterator: AsyncIteratorProtocol {
        let runner: FlowRunner<AuthenticationStep, Session>
        var steps: AsyncStream<AuthenticationStep>.Iterator

        /// The next step, `nil` when the person is signed in.
        ///
        /// - Throws: ``IdentityError`` when it failed.
        public mutating func next() async throws -> AuthenticationStep? {
            try await runner.next(&steps)
        }
    }
}

/// One thing that a sign-in asks of the app.
public enum AuthenticationStep: Sendable {
    /// The person's PIN.
    case enterPIN(PINChallenge)
}

/// A PIN that is being changed: first the old one, then the new one.
public struct PINChangeFlow: AsyncSequence, Sendable {
    /// What the app is asked.
    public typealias Element = PINChangeStep

    let runner: FlowRunner<PINChangeStep, Profile>

    /// Waits for the end. From then on the new PIN counts, and until then the old one.
    public var outcome: Profile {
        get async throws { try await runner.outcome() }
    }

    /// The steps, in the order in which they come.
    public func makeAsyncIterator() -> Iterator {
        Iterator(runner: runner, steps: runner.watch())
    }

    /// See ``PINChangeFlow``.
    public struct Iterator: AsyncIteratorProtocol {
        let runner: FlowRunner<PINChangeStep, Profile>
        var steps: AsyncStream<PINChangeStep>.Iterator

        /// The next step, `nil` when the new PIN counts.
        ///
        /// - Throws: ``IdentityError`` when it failed.
        public mutating func next() async throws -> PINChangeStep? {
            try await runner.next(&steps)
        }
    }
}

/// One thing that a change of PIN asks of the app.
public enum PINChangeStep: Sendable {
    /// The PIN that counts now.
    case enterPIN(PINChallenge)
    /// The one that shall count.
    case createPIN(CreatePINChallenge)
}
