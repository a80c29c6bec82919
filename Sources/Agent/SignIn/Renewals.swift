// SPDX-License-Identifier: Apache-2.0
import AgentClient

/// Renews the tokens of people, when they are due and on request.
@AgentActor
struct Renewals {
    let records: RecordStore
    let profiles: ActiveProfiles
    let schedules: SignInSchedules
    let clients: LoginClients
    let signIns: SignIns
    let grace: GracePeriods
    let sessions: MachineBox<SessionMachine>
    let notices: any AgentEventLog
    let events: any AgentEvents

    /// Renews all tokens that are due.
    func renewDue() async {
        for person in records.record.people.keys.sorted()
        where records.record.people[person]?.session != nil {
            await renew(person)
        }
        records.publishChange()
    }

    /// Renews the tokens of a person if they are due.
    ///
    /// - Parameter force: Whether they are renewed before they are due.
    /// - Returns: Why a renewal that is due failed.
    @discardableResult
    func renew(_ person: String, force: Bool = false) async -> AgentRefusal? {
        let origin = records.origin(of: person)
        let request = RenewalRequest(
            schedule: schedules.schedule(of: person), isRegistered: origin != nil,
            hasKey: records.record.people[person]?.key != nil, isForced: force)
        let effects = sessions.machine.handle(
            .renewalRequested(person, request), now: records.now)
        for effect in effects {
            switch effect {
            case .prompt(_, let reason): notices.signInDue(person, reason)
            case .refuse(let refusal): return refusal
            case .renew(_, let step):
                guard let origin, let session = request.schedule.session else { return nil }
                return await renew(session, step, origin)
            }
        }
        return nil
    }

    private func renew(
        _ session: SignInSession, _ step: SignInSchedule.Step, _ origin: RequestOrigin
    ) async -> AgentRefusal? {
        let person = origin.person
        // Components that wait for the renewal resume, and the timer is set.
        defer {
            sessions.machine.handle(.renewalFinished(person), now: records.now)
            records.publishChange()
        }
        do throws(ProviderError) {
            try await send(session, step, origin)
            return nil
        } catch {
            await failed(session, origin, error)
            let isSignedOut = records.record.people[person]?.session == nil
            return if case .wrongCredential = error, isSignedOut {
                .signedOut(because: error)
            } else {
                .provider(error)
            }
        }
    }

    private func send(
        _ session: SignInSession, _ step: SignInSchedule.Step, _ origin: RequestOrigin
    ) async throws(ProviderError) {
        let person = origin.person
        guard let (client, user) = clients.client(for: person) else { return }
        let groups = profiles.policy(of: person).groups
        if case .signInWithKey = step {
            guard let key = records.record.people[person]?.key else { return }
            let login = try await client.signIn(user, key: key, groups: groups)
            guard isCurrent(session, of: person) else { return }
            try await signIns.accept(login, origin, isFull: true)
        } else {
            let login = try await client.refresh(
                user, token: session.refreshToken, groups: groups,
                authenticatedAt: session.authenticatedAt)
            guard isCurrent(session, of: person) else { return }
            try await signIns.accept(login, origin, isFull: false)
        }
    }

    /// Returns when no renewal of the person runs.
    func finished(of person: String) async {
        while sessions.machine.renewing.contains(person) { await records.nextChange() }
    }

    /// Whether the person neither signed in nor was signed out during the request.
    private func isCurrent(_ session: SignInSession, of person: String) -> Bool {
        records.record.people[person]?.session == session
    }

    /// A refused token is deleted, and the person signs in. Every other failure leads to a later try.
    private func failed(
        _ session: SignInSession, _ origin: RequestOrigin, _ error: ProviderError
    ) async {
        let person = origin.person
        guard isCurrent(session, of: person), records.isCurrent(origin) else { return }
        if case .deviceUnknown = error { return await events.deviceUnknown(error, origin) }
        notices.failed("renewing the tokens of \(person)", error)
        guard case .wrongCredential = error else {
            return await signIns.identities.postpone(person, error)
        }
        if signIns.personKeys.signsAlone(person) { return await signIns.keyRefused(of: person) }
        records.record.people[person]?.session = nil
        await grace.end(of: person)
        try? await records.save()
        notices.signInDue(person, .tokenEnded)
    }

    // MARK: Requests

    /// Returns the ID token of a person, renewed if that is due.
    func idToken(
        of person: String
    ) async throws -> (token: String, session: SignInSession) {
        guard records.record.people[person] != nil else { throw AgentRefusal.notRegistered }
        await finished(of: person)
        if case .wait = schedules.schedule(of: person).step(now: records.now) {
        } else {
            await renew(person)
        }
        let standing = schedules.schedule(of: person)
            .standing(now: records.now, latest: records.earliest)
        guard let session = records.record.people[person]?.session, standing != .signedOut else {
            throw AgentRefusal.signedOut
        }
        return (session.idToken, session)
    }

    /// Renews the tokens now. A renewal that runs already counts if it brings other tokens.
    ///
    /// - Throws: ``AgentRefusal`` with the reason.
    func refresh(_ person: String) async throws {
        guard let before = records.record.people[person]?.session else {
            throw AgentRefusal.signedOut
        }
        await finished(of: person)
        if let session = records.record.people[person]?.session, session != before { return }
        if let refusal = await renew(person, force: true) { throw refusal }
        guard records.record.people[person]?.session != nil else { throw AgentRefusal.signedOut }
    }
}
