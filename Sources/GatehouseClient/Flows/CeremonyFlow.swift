// SPDX-License-Identifier: Apache-2.0

/// A ceremony that asks the app something on its way, one step after the other.
///
/// ```swift
/// let flow = client.register()
/// for try await step in flow {
///     switch step {
///     case .browser(let challenge): try await challenge.present(with: presenter)
///     case .createPIN(let challenge): try challenge.respond(with: try PIN(typed))
///     case .enterPIN(let challenge): try challenge.respond(with: try PIN(typed))
///     case .custom(let challenge): try challenge.respond(with: typed)
///     }
/// }
/// let registered = try await flow.outcome
/// ```
///
/// Each step is a challenge that takes one answer. Cancelling the task that takes the steps, letting
/// go of a challenge, or letting go of the flow cancels the ceremony, with whatever request is under
/// way. Nothing is registered or changed then; only a request that was sent may have arrived, and what
/// came of it is found when the same is done again (``IdentityClient/pendingRegistrations``).
public struct CeremonyFlow<Step: Sendable, Outcome: Sendable>: AsyncSequence, Sendable {
    /// A step of the ceremony.
    public typealias Element = Step

    let runner: FlowRunner<Step, Outcome>

    /// Starts a ceremony whose errors are surfaced in a domain.
    init(
        _ domain: IdentityError.Domain,
        _ body: @escaping @Sendable (FlowPrompter<Step>) async throws -> Outcome
    ) {
        runner = FlowRunner(domain) { prompter in
            try await IdentityError.surfacing(domain) { try await body(prompter) }
        }
    }

    /// Waits for the end, and returns the outcome. If the steps are not read, the first one is
    /// released, which cancels the ceremony.
    public var outcome: Outcome {
        get async throws { try await runner.outcome() }
    }

    /// The steps, in the order in which they come.
    public func makeAsyncIterator() -> Iterator {
        Iterator(runner: runner, steps: runner.watch())
    }

    /// See ``CeremonyFlow``.
    public struct Iterator: AsyncIteratorProtocol {
        let runner: FlowRunner<Step, Outcome>
        var steps: AsyncStream<Step>.Iterator

        /// The next step, `nil` when it is done.
        ///
        /// - Throws: ``IdentityError`` when it failed.
        public mutating func next() async throws -> Step? { try await runner.next(&steps) }
    }
}

/// A registration. Its steps are ``RegistrationStep``.
public typealias RegistrationFlow = CeremonyFlow<RegistrationStep, RegistrationOutcome>

/// A sign-in. A wrong PIN is no error: the same challenge comes again, with one attempt less.
public typealias AuthenticationFlow = CeremonyFlow<AuthenticationStep, UserSession>

/// A change of PIN: first the old one, then the new one, which counts at the end and not before.
public typealias PINChangeFlow = CeremonyFlow<PINChangeStep, Profile>

/// The adding of an authenticator. Nothing is added before its end.
public typealias EnrollmentFlow = CeremonyFlow<EnrollmentStep, Profile>
