import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn
import Testing

/// Who is let in, as Apple's key list says it: every rule as a question to the value.
@Suite struct AdmissionTests {
    private let start = Timestamp(seconds: 1_800_000_000)

    /// A person at a place with that policy, a day after it took effect and after their last login.
    private func admission(
        _ words: [AuthenticationPolicy], at place: AdmissionPoint = .login,
        _ account: Admission.Account = .registered, local: Admission.LocalPassword = .right,
        provider: Admission.Provider = .unasked, isPresent: Bool = false, owesLogin: Bool = false
    ) -> Admission {
        let policy = AdmissionPolicy(
            rules: [place: AdmissionRule(words, at: place)], offlineGrace: .days(2),
            authenticationGrace: .days(2))
        var admission = Admission(
            EffectiveAdmissionPolicy(policy, since: start - .days(1)), at: place, account: account,
            earliest: start)
        admission.local = local
        admission.provider = provider
        admission.isPresent = isPresent
        admission.owesLogin = owesLogin
        admission.lastLogin = start - .days(1)
        return admission
    }

    private func step(_ admission: Admission) -> Admission.Step { admission.step(now: start) }

    private let offline: [AuthenticationPolicy] = [
        .requireAuthentication, .allowOfflineGracePeriod,
    ]
    private let newcomers: [AuthenticationPolicy] = [
        .requireAuthentication, .allowAuthenticationGracePeriod,
    ]

    // MARK: No policy

    @Test("Without a policy the local password decides, without a request to the provider")
    func local() {
        #expect(step(admission([], local: .unchecked)) == .checkLocalPassword)
        #expect(step(admission([])) == .admit(.localPassword, until: nil))
        #expect(step(admission([], .unregistered)) == .admit(.localPassword, until: nil))
    }

    @Test("Where it differs the provider's opens")
    func differs() {
        #expect(step(admission([], local: .wrong)) == .askProvider)
        #expect(
            step(admission([], local: .wrong, provider: .accepted)) == .admit(.provider, until: nil)
        )
        for provider: Admission.Provider in [.rejected, .away, .undecided] {
            #expect(
                step(admission([], local: .wrong, provider: provider)) == .refuse(.wrongPassword))
        }
        #expect(step(admission([], .unregistered, local: .wrong)) == .refuse(.wrongPassword))
    }

    @Test("With a method that is no password there are no policies, and no provider is asked")
    func otherMethod() {
        var configuration = SSOConfiguration()
        configuration.platformSSO = PlatformSSOSettings()
        configuration.platformSSO?.authenticationMethod = .smartCard
        configuration.platformSSO?.loginPolicy = [.requireAuthentication]
        var smartCard = admission([], local: .wrong)
        smartCard.terms.policy = AdmissionPolicy(configuration)
        #expect(smartCard.terms.policy.rules.isEmpty)
        #expect(step(smartCard) == .refuse(.wrongPassword))
    }

    // MARK: AttemptAuthentication

    @Test("Attempt: the provider verifies the password first, and its result decides")
    func attempt() {
        #expect(step(admission([.attemptAuthentication])) == .askProvider)
        #expect(
            step(admission([.attemptAuthentication], local: .wrong, provider: .accepted))
                == .admit(.provider, until: nil))
        #expect(
            step(admission([.attemptAuthentication], provider: .rejected))
                == .refuse(.wrongPassword))
    }

    @Test(
        "Attempt: while it gives no verdict the local password opens",
        arguments: [Admission.Provider.away, .undecided])
    func attemptOffline(_ provider: Admission.Provider) {
        let words: [AuthenticationPolicy] = [.attemptAuthentication]
        #expect(
            step(admission(words, local: .unchecked, provider: provider)) == .checkLocalPassword)
        #expect(step(admission(words, provider: provider)) == .admit(.localPassword, until: nil))
        #expect(
            step(admission(words, local: .wrong, provider: provider)) == .refuse(.wrongPassword))
    }

    @Test(
        "After a wrong password at the provider only it lets in, also when it is away",
        arguments: [AuthenticationPolicy.attemptAuthentication, .requireAuthentication])
    func owed(_ word: AuthenticationPolicy) {
        let words = [word, .allowOfflineGracePeriod]
        for provider: Admission.Provider in [.away, .undecided] {
            #expect(
                step(admission(words, provider: provider, owesLogin: true)) == .refuse(.loginOwed))
        }
        #expect(
            step(admission(words, provider: .accepted, owesLogin: true))
                == .admit(.provider, until: nil))
    }

    @Test("Attempt: accounts that are not registered have their local password")
    func attemptUnregistered() {
        #expect(
            step(admission([.attemptAuthentication], .unregistered))
                == .admit(.localPassword, until: nil))
    }

    // MARK: RequireAuthentication

    @Test("Require: without the provider every login is refused")
    func require() {
        #expect(step(admission([.requireAuthentication])) == .askProvider)
        for provider: Admission.Provider in [.away, .undecided] {
            #expect(
                step(admission([.requireAuthentication], provider: provider))
                    == .refuse(.providerNeeded))
        }
    }

    @Test("Require, with a grace period: the local password is accepted until the period expires")
    func offlineGrace() {
        let allowed = admission(offline, provider: .away)
        #expect(step(allowed) == .admit(.offlineGrace, until: start + .days(1)))
        let last = start + .days(1) - .seconds(1)
        #expect(allowed.step(now: last) == .admit(.offlineGrace, until: start + .days(1)))
        #expect(allowed.step(now: start + .days(1)) == .refuse(.offlineGraceOver))
        #expect(
            step(admission(offline, local: .wrong, provider: .away)) == .refuse(.wrongPassword))
    }

    @Test("A response without a decision is not an unreachable provider and gives no grace period")
    func undecided() {
        #expect(step(admission(offline, provider: .undecided)) == .refuse(.providerNeeded))
    }

    @Test("There is no grace period before the first sign-in, or if the profile sets none")
    func noGrace() {
        var never = admission(offline, provider: .away)
        never.lastLogin = nil
        #expect(step(never) == .refuse(.providerNeeded))
        var none = admission(offline, provider: .away)
        none.terms.policy.offlineGrace = .seconds(0)
        #expect(step(none) == .refuse(.offlineGraceOver))
    }

    @Test("Accounts that are not registered: only within their grace period, from the policy on")
    func authenticationGrace() {
        #expect(
            step(admission([.requireAuthentication], .unregistered))
                == .refuse(.registrationNeeded))
        let allowed = admission(newcomers, .unregistered)
        #expect(step(allowed) == .admit(.authenticationGrace, until: start + .days(1)))
        #expect(allowed.step(now: start + .days(1)) == .refuse(.authenticationGraceOver))
        #expect(
            step(admission(newcomers, .unregistered, local: .wrong)) == .refuse(.wrongPassword))
        #expect(step(admission(offline, .unregistered)) == .refuse(.registrationNeeded))
    }

    @Test("The grace period of one kind is not the other's")
    func kinds() {
        #expect(step(admission(newcomers, provider: .away)) == .refuse(.providerNeeded))
    }

    @Test("Exempt accounts have their local password, whatever the policy")
    func exempt() {
        let words: [AuthenticationPolicy] = [.requireAuthentication, .requireTouchID]
        #expect(step(admission(words, .exempt)) == .admit(.localPassword, until: nil))
        #expect(step(admission(words, .exempt, local: .wrong)) == .refuse(.wrongPassword))
    }

    @Test("Of two words that contradict one another the stricter counts")
    func contradiction() {
        let both: [AuthenticationPolicy] = [.attemptAuthentication, .requireAuthentication]
        #expect(AdmissionRule(both, at: .login).demand == .require)
        #expect(
            AdmissionRule([.requireTouchID, .allowTouchIDOrWatchForUnlock], at: .unlock).presence
                == .required)
    }

    // MARK: Presence

    @Test("A finger opens the lock screen, under Require only where it may, and nothing else")
    func finger() {
        let allowed: [AuthenticationPolicy] = [
            .requireAuthentication, .allowTouchIDOrWatchForUnlock,
        ]
        #expect(
            step(admission(allowed, at: .unlock, isPresent: true)) == .admit(.presence, until: nil))
        #expect(
            step(admission([.requireAuthentication], at: .unlock, isPresent: true)) == .askProvider)
        for place: AdmissionPoint in [.login, .disk] {
            #expect(step(admission(allowed, at: place, isPresent: true)) == .askProvider)
        }
        #expect(step(admission(allowed, at: .unlock)) == .askProvider)
    }

    @Test("A fingerprint does not unlock for a person who must sign in or is not registered")
    func fingerRefused() {
        let allowed: [AuthenticationPolicy] = [
            .requireAuthentication, .allowTouchIDOrWatchForUnlock,
        ]
        #expect(
            step(admission(allowed, at: .unlock, isPresent: true, owesLogin: true)) == .askProvider)
        #expect(
            step(admission(allowed, at: .unlock, .unregistered, isPresent: true))
                == .refuse(.registrationNeeded))
    }

    @Test(
        "Where a finger is required nothing opens without, and it alone does not",
        arguments: [AuthenticationPolicy.requireTouchID, .requireTouchIDOrWatch])
    func required(_ word: AuthenticationPolicy) {
        let words: [AuthenticationPolicy] = [.requireAuthentication, word]
        #expect(
            step(admission(words, at: .unlock, provider: .accepted)) == .refuse(.presenceNeeded))
        #expect(step(admission(words, at: .unlock, isPresent: true)) == .askProvider)
    }

    @Test(
        "With a key of the person's there is no policy but the finger: the local password needs it")
    func keyOfPerson() {
        func policy(_ method: PlatformSSOAuthenticationMethod) -> AdmissionPolicy {
            var configuration = SSOConfiguration()
            var settings = PlatformSSOSettings()
            settings.authenticationMethod = method
            settings.loginPolicy = [.requireAuthentication]
            settings.unlockPolicy = [.requireAuthentication, .requireTouchID]
            configuration.platformSSO = settings
            return AdmissionPolicy(configuration)
        }
        func step(
            _ method: PlatformSSOAuthenticationMethod, at place: AdmissionPoint,
            isPresent: Bool = false,
            local: Admission.LocalPassword = .right
        ) -> Admission.Step {
            var admission = Admission(
                EffectiveAdmissionPolicy(policy(method), since: start), at: place,
                account: .registered,
                earliest: start)
            (admission.isPresent, admission.local) = (isPresent, local)
            return admission.step(now: start)
        }
        let key = PlatformSSOAuthenticationMethod.userSecureEnclaveKey
        #expect(policy(key).rules == [.unlock: AdmissionRule([.requireTouchID], at: .unlock)])
        #expect(step(key, at: .unlock) == .refuse(.presenceNeeded))
        #expect(step(key, at: .unlock, isPresent: true) == .admit(.localPassword, until: nil))
        #expect(
            step(key, at: .unlock, isPresent: true, local: .wrong) == .refuse(.wrongPassword))
        #expect(step(key, at: .login) == .admit(.localPassword, until: nil))
        // Cards and pages leave nothing of it, passwords everything.
        for method: PlatformSSOAuthenticationMethod in [.smartCard, .openID] {
            #expect(policy(method).rules == [:])
            #expect(step(method, at: .unlock) == .admit(.localPassword, until: nil))
        }
        #expect(step(.password, at: .unlock) == .refuse(.presenceNeeded))
        #expect(step(.password, at: .unlock, isPresent: true) == .askProvider)
        #expect(step(.password, at: .login) == .askProvider)
    }

    // MARK: Clocks

    @Test("A clock that was set back grants nothing, by more than its leeway")
    func setBack() {
        for admission in [
            admission(offline, provider: .away), admission(newcomers, .unregistered),
        ] {
            #expect(admission.step(now: start - .minutes(6)) == .refuse(.clockSetBack))
            #expect(admission.step(now: start - .minutes(4)) != .refuse(.clockSetBack))
        }
    }

    @Test("A clock that is slightly behind does not extend an expired period")
    func behind() {
        var late = admission(offline, provider: .away)
        late.earliest = start + .days(1)
        #expect(late.step(now: start + .days(1) - .minutes(4)) == .refuse(.offlineGraceOver))
    }

    @Test("A login that lies ahead was written by a clock in trouble, and counts for nothing")
    func ahead() {
        var ahead = admission(offline, provider: .away)
        ahead.lastLogin = start + .days(300)
        #expect(step(ahead) == .refuse(.clockSetBack))
    }

    @Test("A new or changed policy restarts the registration grace period; its other keys do not")
    func terms() {
        let old = admission(newcomers, .unregistered).terms
        var policy = old.policy
        policy.offlineGrace = .days(9)
        policy.exemptAccounts = ["root"]
        #expect(
            EffectiveAdmissionPolicy.adopting(policy, after: old, now: start).since == old.since)
        policy.rules[.unlock] = AdmissionRule(.attempt)
        #expect(EffectiveAdmissionPolicy.adopting(policy, after: old, now: start).since == start)
        #expect(EffectiveAdmissionPolicy.adopting(policy, after: nil, now: start).since == start)
    }

    // MARK: Outlook

    @Test("The outlook is what the decision says of the same person offline")
    func outlook() {
        let graced = admission(offline).outlook(now: start)
        #expect(graced.demand == .require && graced.offline == .offlineGrace)
        #expect(graced.offlineUntil == start + .days(1))
        let over = admission(offline).outlook(now: start + .days(2))
        #expect(over.offline == nil && over.refusal == .offlineGraceOver)
        let owing = admission([.attemptAuthentication], owesLogin: true).outlook(now: start)
        #expect(owing.offline == nil && owing.refusal == .loginOwed)
    }

    @Test("Whatever is known, an answer comes, and no proof is asked for twice")
    func total() {
        let words: [[AuthenticationPolicy]] = [
            [], [.attemptAuthentication], [.requireAuthentication], offline, newcomers,
            [.requireAuthentication, .requireTouchID], [.allowTouchIDOrWatchForUnlock],
        ]
        for words in words {
            for place in AdmissionPoint.allCases {
                for account in Admission.Account.allCases {
                    for provider in Admission.Provider.allCases {
                        for local in Admission.LocalPassword.allCases {
                            let asked = admission(
                                words, at: place, account, local: local, provider: provider)
                            switch step(asked) {
                            case .askProvider: #expect(provider == .unasked)
                            case .checkLocalPassword: #expect(local == .unchecked)
                            case .admit(.provider, _): #expect(provider == .accepted)
                            case .admit(.presence, _): Issue.record("nobody was seen")
                            case .admit: #expect(local == .right)
                            case .refuse: break
                            }
                        }
                    }
                }
            }
        }
    }
}

@Suite struct LatestKnownTimeTests {
    private let start = Timestamp(seconds: 1_800_000_000)

    @Test("It is at least as late as it ever was, and what has passed since")
    func bound() {
        let seen = LatestKnownTime(start, elapsed: .seconds(100))
        #expect(seen.earliest(start + .hours(1), elapsed: .seconds(100)) == start + .hours(1))
        #expect(seen.earliest(start - .days(9), elapsed: .seconds(700)) == start + .minutes(10))
        // A running clock that runs backwards is none; it takes nothing off.
        #expect(seen.earliest(start, elapsed: .seconds(0)) >= start)
    }

    @Test("A clock that is set back a little, again and again, stops no time")
    func smallSteps() {
        var seen = LatestKnownTime(start, elapsed: .zero)
        for round in 1...100 {
            // Always shown the same four minutes.
            seen.see(start + .minutes(4), elapsed: .seconds(240 * round))
        }
        #expect(seen.latest == start + .minutes(400))
    }

    @Test("Time asleep is included, by the wall clock or the boot-time clock")
    func sleep() {
        var seen = LatestKnownTime(start, elapsed: .zero)
        seen.see(start + .days(3), elapsed: .seconds(1))
        #expect(seen.latest == start + .days(3))
        seen.see(start, elapsed: .seconds(86_401))
        #expect(seen.latest == start + .days(4))
    }

    @Test("A corrected clock is used again after the provider confirms a sign-in")
    func confirmed() {
        var seen = LatestKnownTime(start, elapsed: .zero)
        seen.see(start + .days(3000), elapsed: .zero)
        seen.confirm(start, elapsed: .zero)
        #expect(seen.earliest(start, elapsed: .seconds(60)) == start + .minutes(1))
    }
}
