// SPDX-License-Identifier: Apache-2.0

/// A registration that asks the app something on its way.
///
/// ```swift
/// let flow = client.register()
/// for try await step in flow {
///     switch step {
///     case .browser(let challenge): try await challenge.present(with: presenter)
///     case .createPIN(let challenge): try challenge.respond(with: try PIN(typed))
///     case .enterPIN(let challenge): try challenge.respond(with: try PIN(typed))
///     }
/// }
/// let registered = try await flow.outcome
/// ```
///
/// Each step is a challenge that takes one answer. Cancelling the task that iterates, letting go of
/// a challenge, or letting go of the flow cancels the registration; nothing is registered then.
public struct RegistrationFlow: AsyncSequence, Sendable {
    /// What the app is asked.
    public typealias Element = RegistrationStep

    let runner: FlowRunner<RegistrationStep, RegistrationOutcome>

    /// Waits for the end, and says what was registered. Where nobody takes the steps, the first one
    /// is let go of, and the registration cancelled.
    public var outcome: RegistrationOutcome {
        get async throws { try await runner.outcome() }
    }

    /// The steps, in the order in which they come.
    public func makeAsyncIterator() -> Iterator {
        Iterator(runner: runner, steps: runner.watch())
    }

    /// See ``RegistrationFlow``.
    public struct Iterator: AsyncIteratorProtocol {
        let runner: FlowRunner<RegistrationStep, RegistrationOutcome>
        var steps: AsyncStream<RegistrationStep>.Iterator

        /// The next step, `nil` when the registration is done.
        ///
        /// - Throws: ``IdentityError`` when it failed.
        public mutating func next() async throws -> RegistrationStep? {
            try await runner.next(&steps)
        }
    }
}

/// One thing that a registration asks of the app.
public enum RegistrationStep: Sendable {
    /// A page is to be shown in a browser.
    case browser(BrowserChallenge)
    /// A PIN is to be chosen.
    case createPIN(CreatePINChallenge)
    /// The PIN that was chosen is to be entered: the app was ended after the provider had taken it.
    case enterPIN(PINChallenge)
}

/// What came of a registration.
public struct RegistrationOutcome: Sendable {
    /// Who was registered, or registered again.
    public let profile: Profile
    /// They are signed in.
    public let session: Session
    /// `false` when the person had a profile here already, which is used again.
    public let isNewProfile: Bool
}
