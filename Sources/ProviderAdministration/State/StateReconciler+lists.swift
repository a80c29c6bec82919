// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import ProviderSettings
import ProviderUpstream
import Storage

/// The steps for entitlements and upstream providers, in the order of their dependencies.
extension StateReconciler {
    func listSteps(
        for wanted: DesiredProject, in project: Project, exists: Bool
    ) async throws -> [Result<StateStep, LocatedValidationIssue>] {
        var steps: [Result<StateStep, LocatedValidationIssue>] = []
        for set in wanted.entitlementSets {
            let old =
                exists
                ? try await store.entitlements.entitlementSet(named: set.name, in: project.id) : nil
            let new = EntitlementSet(
                project: project.id, name: set.name, entitlements: "{}", createdAt: now)
            steps.append(
                .success(
                    StateDifference.entitlementSet(
                        from: old, to: set, new: new, in: project.name)))
        }
        if !wanted.entitlementSequences.isEmpty {
            let kept =
                exists
                ? try await store.entitlements.entitlementSets(of: project.id).map(\.name) : []
            let sets = Set(kept + wanted.entitlementSets.map(\.name))
            for sequence in wanted.entitlementSequences {
                let old =
                    exists
                    ? try await store.entitlements.entitlementSequence(
                        named: sequence.name, in: project.id)
                    : nil
                let new = EntitlementSequence(
                    project: project.id, name: sequence.name, steps: [], createdAt: now)
                steps.append(
                    StateDifference.entitlementSequence(
                        from: old, to: sequence, new: new, sets: sets, in: project.name))
            }
        }
        for provider in wanted.upstreamProviders {
            steps.append(try await step(for: provider, in: project, exists: exists))
        }
        return steps
    }

    private func step(
        for wanted: DesiredUpstreamProvider, in project: Project, exists: Bool
    ) async throws -> Result<StateStep, LocatedValidationIssue> {
        var old = wanted.earlier
        if exists, old == nil {
            old = try await store.upstreamProviders.upstreamProvider(
                named: wanted.identifier, in: project.id)
        }
        let new = UpstreamProvider(
            id: Identifier(now: now, random: provider.random), project: project.id,
            name: wanted.identifier, kind: wanted.kind, createdAt: now)
        let context = UpstreamFields.sealContext(old ?? new)
        let kept = old?.sealedSecret.flatMap { try? provider.secrets.open($0, context: context) }
        let isSame = wanted.secret.map { secret in
            kept.map { ConstantTime.equal($0.reveal(), secret.reveal()) } ?? false
        }
        let sealed = try wanted.secret.map { try provider.secrets.seal($0, context: context) }
        let step = StateDifference.upstreamProvider(
            from: old, to: wanted, new: new, secretIsSame: isSame ?? false, sealed: sealed,
            in: project.name)
        guard let old, case .success(let changing) = step, changing.change.action == .update,
            let problem = try await complaint(about: old, changing)
        else { return step }
        return .failure(problem)
    }

    /// Checks a change of an upstream provider. Its URLs determine who can sign in as the people
    /// that are linked to it, so the change requires their rights. Disabling it does not.
    private func complaint(
        about old: UpstreamProvider, _ step: StateStep
    ) async throws -> LocatedValidationIssue? {
        var off = old
        off.isEnabled = false
        if case .upstreamProvider(let wanted, _) = step.write, wanted == off { return nil }
        guard let rights,
            try await !rights.covers(store.administrators.administration(linkedTo: old.id))
        else {
            return nil
        }
        return LocatedValidationIssue(
            path: old.name, ValidationIssue(.providerOfHigher))
    }
}
