// SPDX-License-Identifier: Apache-2.0
package import AgentClient
package import Primitives

/// The decision whether a person is admitted, and with which proof: a value that computes the next
/// step for a time.
///
/// The step is computed again after each proof that it required; it never requires one twice.
package struct Admission: Sendable, Equatable {
    package enum Account: Sendable, Hashable, CaseIterable {
        /// `NonPlatformSSOAccounts`
        case exempt
        case unregistered
        case registered
    }

    /// What the login program found when it compared the password with its own.
    package enum LocalPassword: String, Sendable, Hashable, CaseIterable {
        case unchecked, right, wrong
    }

    /// What the provider said of the password.
    package enum Provider: Sendable, Hashable, CaseIterable {
        case unasked
        case accepted
        case rejected
        /// No answer came.
        case away
        /// An answer came that is no verdict.
        case undecided
    }

    package enum Step: Sendable, Hashable {
        /// The login program has to compare the password with its own.
        case checkLocalPassword
        case askProvider
        /// - Parameter until: When such a proof stops being one; `nil` for never.
        case admit(AdmissionProof, until: Timestamp?)
        case refuse(AdmissionRefusal)
    }

    package var terms: EffectiveAdmissionPolicy
    package var place: AdmissionPoint
    package var account: Account
    package var local = LocalPassword.unchecked
    package var provider = Provider.unasked
    /// Whether the login program saw a finger or a face that belongs to the person.
    package var isPresent = false
    /// When the provider accepted the person last.
    package var lastLogin: Timestamp?
    /// Whether the provider refused a password since then.
    package var owesLogin = false
    /// It is at least that late, whatever the clock says (``LatestKnownTime``).
    package var earliest: Timestamp

    package init(
        _ terms: EffectiveAdmissionPolicy, at place: AdmissionPoint, account: Account,
        earliest: Timestamp
    ) {
        self.terms = terms
        self.place = place
        self.account = account
        self.earliest = earliest
    }

    private var rule: AdmissionRule { terms.policy.rule(at: place) }

    /// What comes next.
    package func step(now: Timestamp) -> Step {
        if account == .exempt { return locally(.localPassword) }
        if rule.presence == .required, !isPresent { return .refuse(.presenceNeeded) }
        if opensByPresence { return .admit(.presence, until: nil) }
        return account == .registered ? registered(now) : unregistered(now)
    }

    /// Whether a finger is sufficient: not for an unknown account, nor if the provider must verify
    /// a password.
    private var opensByPresence: Bool {
        guard rule.presence == .suffices, isPresent, !owesLogin else { return false }
        return account == .registered || rule.demand != .require
    }

    private func registered(_ now: Timestamp) -> Step {
        if rule.demand == .local {
            guard local == .wrong, terms.policy.usesPasswords else {
                return locally(.localPassword)
            }
        }
        switch provider {
        case .unasked: return .askProvider
        case .accepted: return .admit(.provider, until: nil)
        case .rejected: return .refuse(.wrongPassword)
        case .away, .undecided: return withoutProvider(now)
        }
    }

    private func withoutProvider(_ now: Timestamp) -> Step {
        switch rule.demand {
        case .local: return .refuse(.wrongPassword)
        case _ where owesLogin: return .refuse(.loginOwed)
        case .attempt: return locally(.localPassword)
        case .require:
            guard provider == .away, rule.allowsOffline, let lastLogin else {
                return .refuse(.providerNeeded)
            }
            return within(
                terms.policy.offlineGrace, of: lastLogin, now, .offlineGrace,
                otherwise: .offlineGraceOver)
        }
    }

    private func unregistered(_ now: Timestamp) -> Step {
        guard rule.demand == .require else { return locally(.localPassword) }
        guard rule.allowsUnregistered else { return .refuse(.registrationNeeded) }
        return within(
            terms.policy.authenticationGrace, of: terms.since, now, .authenticationGrace,
            otherwise: .authenticationGraceOver)
    }

    /// A clock that was set back grants nothing, and neither does what lies ahead of it.
    private func within(
        _ period: TimeSpan, of start: Timestamp, _ now: Timestamp, _ proof: AdmissionProof,
        otherwise refusal: AdmissionRefusal
    ) -> Step {
        let time = max(now, earliest)
        guard now + SignInSchedule.leeway >= earliest, start <= time + SignInSchedule.leeway else {
            return .refuse(.clockSetBack)
        }
        guard time < start + period else { return .refuse(refusal) }
        return locally(proof, until: start + period)
    }

    private func locally(_ proof: AdmissionProof, until: Timestamp? = nil) -> Step {
        switch local {
        case .unchecked: .checkLocalPassword
        case .right: .admit(proof, until: until)
        case .wrong: .refuse(.wrongPassword)
        }
    }
}

extension Admission {
    /// Computes the same decision with the right password and without the provider.
    package func outlook(now: Timestamp) -> AdmissionOutlook {
        var offline = self
        (offline.local, offline.provider, offline.isPresent) = (.right, .away, false)
        var outlook = AdmissionOutlook(place: place, demand: rule.demand)
        switch offline.step(now: now) {
        case .admit(let proof, let until): (outlook.offline, outlook.offlineUntil) = (proof, until)
        case .refuse(let refusal): outlook.refusal = refusal
        case .askProvider, .checkLocalPassword: break
        }
        return outlook
    }
}
