// SPDX-License-Identifier: Apache-2.0
import Primitives
import Testing

@testable import Agent

@Suite struct SignInScheduleTests {
    private let start = Timestamp(seconds: 1_800_000_000)

    private func schedule(
        frequency: TimeSpan = .hours(18), usesKey: Bool = false, grace: TimeSpan? = nil,
        lifetime: TimeSpan = .days(30), failedAt: Timestamp? = nil
    ) -> SignInSchedule {
        SignInSchedule(
            policy: SignInPolicy(
                loginFrequency: frequency, usesKey: usesKey, offlineGrace: grace),
            session: SignInSession(
                refreshToken: Secret("t"), idToken: "", subject: nil, groups: [],
                fullLoginAt: start, refreshedAt: start, expiresAt: start + lifetime),
            failedAt: failedAt)
    }

    @Test("Tokens are renewed after four hours, and not before")
    func fourHours() {
        #expect(schedule().step(now: start) == .wait(until: start + .hours(4)))
        #expect(schedule().step(now: start + .seconds(14_399)) == .wait(until: start + .hours(4)))
        #expect(schedule().step(now: start + .hours(4)) == .refresh)
    }

    @Test("A full login is due after the login frequency, which is an hour at least")
    func frequency() {
        #expect(schedule().step(now: start + .hours(18)) == .askPerson(.loginFrequency))
        #expect(SignInPolicy(loginFrequency: .seconds(1)).loginFrequency == .hours(1))
        #expect(
            schedule(frequency: .hours(2)).step(now: start) == .wait(until: start + .hours(2)))
    }

    @Test("A refresh token that has ended needs the person")
    func ended() {
        #expect(
            schedule(lifetime: .hours(1)).step(now: start + .hours(1)) == .askPerson(.tokenEnded))
        #expect(
            SignInSchedule(policy: SignInPolicy(), session: nil).step(now: start)
                == .askPerson(.neverSignedIn))
    }

    @Test("A key signs in by itself, where a password would be asked for, and never refreshes")
    func key() {
        let schedule = schedule(usesKey: true, lifetime: .hours(20))
        for hours in [4, 18, 20] as [Int64] {
            #expect(schedule.step(now: start + .hours(hours)) == .signInWithKey)
        }
    }

    @Test("While the provider is away it is asked every ten minutes")
    func away() {
        let later = start + .hours(5)
        let schedule = schedule(failedAt: later)
        #expect(schedule.step(now: later) == .wait(until: later + .minutes(10)))
        #expect(schedule.step(now: later + .minutes(10)) == .refresh)
    }

    @Test("A clock that is set back renews at once; it does not put anything off")
    func clockBack() {
        #expect(schedule().step(now: start - .days(2)) == .askPerson(.loginFrequency))
        #expect(schedule(usesKey: true).step(now: start - .days(2)) == .signInWithKey)
        #expect(schedule().step(now: start - .minutes(4)) == .wait(until: start + .hours(4)))
        let failed = schedule(failedAt: start + .hours(5))
        #expect(failed.step(now: start + .hours(4)) == .refresh)
    }

    @Test("A clock that leaps ahead does what is due then, once")
    func clockAhead() {
        #expect(schedule().step(now: start + .days(400)) == .askPerson(.tokenEnded))
    }

    @Test("A person who can renew is signed in until the login is due")
    func standing() {
        #expect(schedule().standing(now: start, latest: start) == .signedIn)
        let end = start + .hours(18)
        #expect(schedule().standing(now: end, latest: end) == .signedOut)
        #expect(
            SignInSchedule(policy: SignInPolicy(), session: nil).standing(now: start, latest: start)
                == .signedOut)
    }

    @Test("Offline, the grace period counts from the last renewal, as long as a policy allows one")
    func grace() {
        let offline = start + .hours(20)
        #expect(
            schedule(grace: .days(2), failedAt: offline).standing(now: offline, latest: offline)
                == .grace(until: start + .days(2)))
        let over = start + .days(2)
        #expect(
            schedule(grace: .days(2), failedAt: over).standing(now: over, latest: over)
                == .signedOut)
        #expect(schedule(failedAt: offline).standing(now: offline, latest: offline) == .signedOut)
    }

    @Test("A clock that is set back does not extend the grace period")
    func graceAndClock() {
        let schedule = schedule(grace: .days(2), failedAt: start + .days(1))
        #expect(
            schedule.standing(now: start + .hours(1), latest: start + .days(3)) == .signedOut)
    }
}
