// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives

/// Tokens that are renewed by the clock, and by whoever wants them now.
extension Agent {
    /// Renews what is due; called when the clock says so.
    func renewAll() async {
        for person in record.people.keys.sorted() where record.people[person]?.session != nil {
            await renew(person)
        }
        changed()
    }

    /// One renewal at a time for each person: two requests with one token would end its family.
    ///
    /// - Returns: Why it did not renew what it ought to.
    @discardableResult
    func renew(_ person: String, force: Bool = false) async -> AgentRefusal? {
        var step = schedule(of: person).step(now: now)
        if force, case .wait = step { step = signsAlone(person) ? .signInWithKey : .refresh }
        guard !renewing.contains(person), let session = record.people[person]?.session else {
            return nil
        }
        guard let asked = origin(of: person) else { return .deviceNotRegistered }
        switch step {
        case .wait: return nil
        case .askPerson(let reason):
            notices.signInDue(person, reason)
            return .signedOut
        case .signInWithKey where record.people[person]?.key == nil: return .signedOut
        case .signInWithKey, .refresh: break
        }
        renewing.insert(person)
        // Whoever waits for it looks again, and the next one is due at another time.
        defer {
            renewing.remove(person)
            changed()
        }
        do throws(ProviderError) {
            try await renew(session, step, asked)
            return nil
        } catch {
            await failed(session, asked, error)
            let isOver = record.people[person]?.session == nil
            return if case .wrongCredential = error, isOver {
                .signedOut(because: error)
            } else {
                .provider(error)
            }
        }
    }

    private func renew(
        _ session: SignInSession, _ step: SignInSchedule.Step, _ asked: RequestOrigin
    ) async throws(ProviderError) {
        let person = asked.person
        guard let (client, user) = client(for: person) else { return }
        let groups = policy(of: person).groups
        if case .signInWithKey = step {
            guard let key = record.people[person]?.key else { return }
            let login = try await client.signIn(user, key: key, groups: groups)
            guard isStill(session, of: person) else { return }
            try await keep(login, asked: asked, isFull: true)
        } else {
            let login = try await client.refresh(
                user, token: session.refreshToken, groups: groups,
                authenticatedAt: session.authenticatedAt)
            guard isStill(session, of: person) else { return }
            try await keep(login, asked: asked, isFull: false)
        }
    }

    /// Ends when no renewal of theirs is under way, whatever came of it.
    func renewalEnded(of person: String) async {
        while renewing.contains(person) { await change() }
    }

    /// Whether nobody has signed in, or out, while the provider was asked: what they did counts.
    private func isStill(_ session: SignInSession, of person: String) -> Bool {
        record.people[person]?.session == session
    }

    /// A dead token is not kept: the person signs in. Everything else is tried again later.
    private func failed(
        _ session: SignInSession, _ asked: RequestOrigin, _ error: ProviderError
    ) async {
        let person = asked.person
        guard isStill(session, of: person), isStill(asked) else { return }
        if case .deviceUnknown = error { return await deviceUnknown(to: error, asked: asked) }
        notices.failed("renewing the tokens of \(person)", error)
        guard case .wrongCredential = error else { return await postpone(person, error) }
        if signsAlone(person) { return await keyRefused(of: person) }
        record.people[person]?.session = nil
        await endGrace(of: person)
        try? await keep()
        notices.signInDue(person, .tokenEnded)
    }
}
