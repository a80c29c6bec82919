// SPDX-License-Identifier: Apache-2.0

/// Ceremonies that prompt for the PIN until it is correct or the provider ends the profile.
struct PINPrompts: Sendable {
    let dependencies: ClientDependencies
    let sessions: SessionRegistry
    /// The scopes of a sign-in; with `nil` those of the configuration.
    var scopes: [String]?

    /// Signs a person in with the PIN.
    ///
    /// - Parameter step: Wraps the challenge in a step of the flow.
    func signIn<Step: Sendable>(
        _ profile: StoredProfile, with prompter: FlowPrompter<Step>,
        _ step: @Sendable (PINChallenge) -> Step
    ) async throws -> UserSession {
        // Throws before the first prompt if the profile has no PIN.
        _ = try await PINSignIn(dependencies: dependencies, profile: profile)
        var attempts: RemainingAttempts?
        while true {
            let typed = try await prompt(profile, attempts, prompter, step)
            // Another process may have changed the PIN or the registration during the prompt.
            let current = try await dependencies.profiles.existingProfile(profile.id)
            let signIn = try await PINSignIn(
                dependencies: dependencies, profile: current, scopes: scopes)
            switch try await signIn.run(typed) {
            case .right(let tokens): return try await sessions.signIn(current, with: tokens)
            case .wrong(let budget): attempts = budget
            }
        }
    }

    /// Replaces the PIN. The old one stays active until the end.
    func change(
        of profile: StoredProfile, with prompter: FlowPrompter<PINChangeStep>
    ) async throws -> Profile {
        let policy = try await PINSignIn(dependencies: dependencies, profile: profile).policy()
        var old = try await prompt(profile, nil, prompter) { .enterPIN($0) }
        let new: TypedPIN = try await prompter.prompt {
            .createPIN(CreatePINChallenge(policy: policy, continuation: $0))
        }
        while true {
            let current = try await dependencies.profiles.existingProfile(profile.id)
            let signIn = try await PINSignIn(dependencies: dependencies, profile: current)
            guard case .wrong(let budget) = try await signIn.change(old, to: new) else {
                return current.publicProfile
            }
            old = try await prompt(profile, budget, prompter) { .enterPIN($0) }
        }
    }

    private func prompt<Step: Sendable>(
        _ profile: StoredProfile, _ attempts: RemainingAttempts?, _ prompter: FlowPrompter<Step>,
        _ step: @Sendable (PINChallenge) -> Step
    ) async throws -> TypedPIN {
        try await prompter.prompt { continuation in
            step(
                PINChallenge(
                    profile: profile.publicProfile, attempts: attempts, continuation: continuation))
        }
    }
}
