// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives

/// Decides whether a requested renewal of a person's tokens starts; ``SignInSchedule`` decides when
/// it is due. A value that contains the renewals that run and each person's last failure.
struct SessionMachine: Sendable, Equatable {
    enum Event: Sendable, Equatable {
        case renewalRequested(String, RenewalRequest)
        case renewalFinished(String)
        case signedIn(String)
        /// A request failed for a reason that the person did not cause. The next renewal is then
        /// due after ``SignInSchedule/retryDelay``.
        case failed(String)
    }

    enum Effect: Sendable, Equatable {
        /// Renew with a refresh token or with the key of the person.
        case renew(String, SignInSchedule.Step)
        /// Report that the person must sign in.
        case prompt(String, SignInSchedule.Reason)
        /// The renewal does not start. The caller receives the reason.
        case refuse(AgentRefusal)
    }

    /// The time of each person's last failure. A successful sign-in or renewal removes it.
    private(set) var failures: [String: Timestamp] = [:]
    private(set) var renewing: Set<String> = []

    @discardableResult
    mutating func handle(_ event: Event, now: Timestamp) -> [Effect] {
        switch event {
        case .renewalRequested(let person, let request): return start(person, request, now)
        case .renewalFinished(let person): renewing.remove(person)
        case .signedIn(let person): failures[person] = nil
        case .failed(let person): failures[person] = now
        }
        return []
    }

    /// Starts the renewal if it is due or forced, and none runs for the person: the provider
    /// revokes all tokens of a sign-in if it receives one refresh token twice.
    private mutating func start(
        _ person: String, _ request: RenewalRequest, _ now: Timestamp
    ) -> [Effect] {
        guard !renewing.contains(person), request.schedule.session != nil else { return [] }
        guard request.isRegistered else { return [.refuse(.deviceNotRegistered)] }
        switch request.step(now: now) {
        case .wait: return []
        case .askPerson(let reason): return [.prompt(person, reason), .refuse(.signedOut)]
        case .signInWithKey where !request.hasKey: return [.refuse(.signedOut)]
        case .signInWithKey, .refresh:
            renewing.insert(person)
            return [.renew(person, request.step(now: now))]
        }
    }

    /// The earliest time in the future at which one of these renewals is due. Renewals that run or
    /// are already due do not count.
    func nextRenewal(_ schedules: [String: SignInSchedule], now: Timestamp) -> Timestamp? {
        schedules.compactMap { person, schedule -> Timestamp? in
            guard !renewing.contains(person), schedule.session != nil,
                case .wait(let time) = schedule.step(now: now)
            else { return nil }
            return time
        }.min()
    }
}
