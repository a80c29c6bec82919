// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
import Primitives
package import ProviderCore
import ProviderInstallations
import ProviderPeople
package import ProviderSettings
import Storage

/// Changes the provider to the state that a document describes.
///
/// ``plan(_:)`` only reads. ``apply(_:facts:)`` plans, and then writes one record after the other,
/// each atomically. It is idempotent, so an interrupted application is completed by repeating it.
///
/// Of all processes one applies a document at a time, so that the later document is applied to the
/// result of the earlier one. Other changes are concurrent: a record that one of them has changed
/// since the plan is not overwritten.
package struct StateReconciler: Sendable {
    let provider: Provider
    /// The rights of the administrator; `nil` for the operator, who has all.
    let rights: AdministratorRights?

    package init(_ provider: Provider, rights: AdministratorRights? = nil) {
        self.provider = provider
        self.rights = rights
    }

    /// Returns the changes that ``apply(_:facts:)`` would make, in order.
    package func plan(
        _ state: DesiredState
    ) async throws -> Result<[StateChange], StateDocumentError> {
        try await steps(state).map { $0.map(\.change) }
    }

    /// Applies the state and returns the changes.
    package func apply(
        _ state: DesiredState, facts: RequestMetadata
    ) async throws -> Result<[StateChange], StateDocumentError> {
        try await exclusively { try await change(state, facts: facts) }
    }

    /// Applies the state of one resource, concurrently with applications of documents.
    package func change(
        _ state: DesiredState, facts: RequestMetadata
    ) async throws -> Result<[StateChange], StateDocumentError> {
        switch try await steps(state) {
        case .success(let planned): try await write(planned, facts)
        case .failure(let refusal): .failure(refusal)
        }
    }

    /// The lease of a killed process expires before other processes give up.
    private static let leaseLifetime = TimeSpan.seconds(30)
    private static let patience = Duration.seconds(40)

    /// Runs `body` after the applications of other documents.
    func exclusively<Value: Sendable>(
        _ body: @Sendable () async throws -> Result<Value, StateDocumentError>
    ) async throws -> Result<Value, StateDocumentError> {
        let lease = JobLease("state", provider, lifetime: Self.leaseLifetime)
        let result = try await lease.performNext(patience: Self.patience, body)
        return result
            ?? .failure(
                StateDocumentError([
                    LocatedValidationIssue(
                        path: "",
                        .verbatim(
                            "another state document is being applied; apply again when that is done"
                        ))
                ]))
    }

    /// Creates the resource that the document describes, with its dependents. Returns `nil` if a
    /// resource with this name exists or is created concurrently; that resource is not changed.
    package func make(
        _ kind: StateChange.Kind, of state: DesiredState, facts: RequestMetadata
    ) async throws -> Result<[StateChange], StateDocumentError>? {
        let planned: [StateStep]
        switch try await steps(state) {
        case .success(let steps): planned = steps
        case .failure(let refusal):
            // Other issues are irrelevant if the resource exists.
            return try await isThere(kind, of: state) ? nil : .failure(refusal)
        }
        guard planned.first(where: { $0.change.kind == kind })?.change.action == .create,
            !planned.contains(where: { $0.change.action == .update })
        else { return nil }
        for step in planned {
            guard let problem = try await StateWriter(provider, facts: facts).write(step) else {
                continue
            }
            return step.change.kind == kind ? nil : .failure(StateDocumentError([problem]))
        }
        return .success(planned.map(\.change))
    }

    /// Whether the resource that the document describes exists.
    private func isThere(_ kind: StateChange.Kind, of state: DesiredState) async throws -> Bool {
        guard let wanted = state.projects.first,
            let project = try await store.projects.project(named: wanted.name)
        else { return false }
        switch kind {
        case .project: return true
        case .client:
            guard let id = wanted.clients.first?.clientID else { return false }
            return try await store.clients.client(clientID: id, in: project.id) != nil
        case .upstreamProvider:
            guard let name = wanted.upstreamProviders.first?.identifier else { return false }
            return try await store.upstreamProviders.upstreamProvider(named: name, in: project.id)
                != nil
        case .person, .administrator, .issuerKey, .entitlementSet, .entitlementSequence:
            return false
        }
    }

    /// Writes the steps and returns their changes, or the issues of those that failed.
    func write(
        _ planned: [StateStep], _ facts: RequestMetadata
    ) async throws -> Result<[StateChange], StateDocumentError> {
        var problems: [LocatedValidationIssue] = []
        // Projects that were not stored. Steps for them are skipped.
        var lost: Set<String> = []
        for step in planned where !lost.contains(step.change.project) {
            guard let problem = try await StateWriter(provider, facts: facts).write(step) else {
                continue
            }
            problems.append(problem)
            if step.change.kind == .project, step.change.action == .create {
                lost.insert(step.change.project)
            }
        }
        return problems.isEmpty
            ? .success(planned.map(\.change)) : .failure(StateDocumentError(problems))
    }

    func steps(
        _ state: DesiredState
    ) async throws -> Result<[StateStep], StateDocumentError> {
        var steps: [StateStep] = []
        var problems: [LocatedValidationIssue] = []
        for wanted in state.projects {
            let old = try await provider.store.projects.project(named: wanted.name)
            let new = Project.new(wanted.name, environment: .production, at: provider)
            let settings = StateDifference.project(
                from: old, to: wanted, new: new,
                secrets: try newSecrets(wanted, of: old ?? new))
            steps.append(try await warned(settings, of: old))
            let project = old ?? new
            for client in wanted.clients {
                switch try await step(for: client, in: project, exists: old != nil) {
                case .success(let step):
                    steps.append(try await warned(step, besides: wanted.people))
                case .failure(let problem): problems.append(problem)
                }
            }
            for key in wanted.issuerKeys {
                steps.append(try await step(for: key, in: project, exists: old != nil))
            }
            for step in try await listSteps(for: wanted, in: project, exists: old != nil) {
                switch step {
                case .success(let step): steps.append(step)
                case .failure(let problem): problems.append(problem)
                }
            }
            for person in wanted.people {
                if let problem = try await complaint(
                    about: person, in: project, exists: old != nil)
                {
                    problems.append(problem)
                }
                let step = try await step(for: person, in: project, exists: old != nil)
                if let problem = step.newPerson.flatMap(complaint) { problems.append(problem) }
                if let problem = step.complaintAboutPassword(in: project) {
                    problems.append(problem)
                }
                steps.append(step)
            }
        }
        for step in try await administratorSteps(for: state, after: steps) {
            switch step {
            case .success(let step): steps.append(step)
            case .failure(let problem): problems.append(problem)
            }
        }
        problems += steps.compactMap(complaint)
        return problems.isEmpty ? .success(steps) : .failure(StateDocumentError(problems))
    }

    /// Only owners may change settings that can enable impersonation of an owner.
    private func complaint(about step: StateStep) -> LocatedValidationIssue? {
        rights.complaint(
            about: step.impersonating, in: step.change.project,
            at: step.change.kind == .project ? "" : step.change.name)
    }

    /// The new secrets, sealed; without those that are stored already.
    private func newSecrets(
        _ wanted: DesiredProject, of project: Project
    ) throws -> [RegistrationSecrets.Name: String] {
        let secrets = RegistrationSecrets(of: project, in: provider)
        var sealed: [RegistrationSecrets.Name: String] = [:]
        for (name, secret) in wanted.registrationSecrets {
            let kept = secrets.open(name)
            if kept.map({ ConstantTime.equal($0.reveal(), secret.reveal()) }) == true { continue }
            sealed[name] = try secrets.seal(secret, as: name)
        }
        return sealed
    }

    private func step(
        for wanted: DesiredClient, in project: Project, exists: Bool
    ) async throws -> Result<StateStep, LocatedValidationIssue> {
        var old = wanted.earlier
        if exists, old == nil {
            old = try await provider.store.clients.client(clientID: wanted.clientID, in: project.id)
        }
        let new = Client(
            id: Identifier(now: now, random: provider.random), project: project.id,
            clientID: wanted.clientID, metadata: ClientMetadata(), createdAt: now)
        let hash = wanted.secret.map { provider.secrets.hash($0.reveal(), for: .clientSecret) }
        return StateDifference.client(
            from: old, to: wanted, new: new, secretHash: hash, in: project.name)
    }

    private func step(
        for wanted: DesiredIssuerKey, in project: Project, exists: Bool
    ) async throws -> StateStep {
        let old =
            exists
            ? try await provider.store.issuerKeys.issuerKey(
                issuer: wanted.issuer, kid: wanted.kid, in: project.id) : nil
        let new = IssuerKey(
            id: Identifier(now: now, random: provider.random), project: project.id,
            kind: .federation, issuer: wanted.issuer, kid: wanted.kid, algorithm: "",
            publicJWK: "", createdAt: now)
        return StateDifference.issuerKey(from: old, to: wanted, new: new, in: project.name)
    }

    private func step(
        for wanted: DesiredPerson, in project: Project, exists: Bool
    ) async throws -> StateStep {
        let old =
            exists
            ? try await provider.store.people.person(username: wanted.username, in: project.id)
            : nil
        let new = Person(
            id: Identifier(now: now, random: provider.random), project: project.id,
            username: wanted.username, createdAt: now)
        return StateDifference.person(
            from: old, to: wanted, new: new,
            passwordMatches: try await passwordMatches(wanted, of: old), in: project.name, now: now)
    }

    /// Returns the issue of a new person's username, or `nil`.
    private func complaint(about new: Person) -> LocatedValidationIssue? {
        guard UserName.isLikeAddress(new.username), !new.ownsMailbox(new.username) else {
            return nil
        }
        return LocatedValidationIssue(path: new.username, ValidationIssue(.nameLikeAddress))
    }

    /// Whether the current password is unchanged: it equals the desired one, or the document
    /// contains a first password for a person who already has a sign-in method. It costs one
    /// Argon2id computation for each password in the document.
    private func passwordMatches(_ wanted: DesiredPerson, of person: Person?) async throws -> Bool {
        guard let person, let new = wanted.password, let password = Password(new.secret) else {
            return false
        }
        let credentials = try await provider.store.credentials.credentials(of: person.id)
        if new.mustChange, !new.isReset, credentials.contains(where: \.isOwnWayIn) { return true }
        guard let stored = credentials.first(where: { $0.kind == .password }),
            stored.passwordDetails?.mustChange == new.mustChange
        else { return false }
        let phc = String(decoding: stored.publicPart, as: UTF8.self)
        return try await provider.passwords.verify(password, against: phc)
    }

    var store: any ProviderStore { provider.store }
    var now: Timestamp { provider.clock.now }
}

extension Credential {
    /// Whether the person can sign in with it, and an administrator did not set it.
    fileprivate var isOwnWayIn: Bool {
        switch kind {
        case .password: passwordDetails?.mustChange == false
        case .publicKey, .federatedIdentity, .signInKey: true
        case .recoveryCode: false
        }
    }
}
