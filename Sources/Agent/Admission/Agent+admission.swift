// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
import SingleSignOn

/// Letting people in at the disk, the login window and the lock screen, as ``Admission`` decides.
extension Agent {
    /// The earliest that it can be now.
    var earliest: Timestamp { seen.earliest(now, elapsed: running.elapsed) }

    /// What holds: also while the profile that says it cannot be read.
    private var terms: EffectiveAdmissionPolicy {
        record.terms ?? EffectiveAdmissionPolicy(AdmissionPolicy(usesPasswords: false), since: now)
    }

    /// In the same step as the profile itself. Doors are the machine's: profiles for single accounts
    /// say nothing of them.
    func adoptTerms() {
        if let configuration = choice.machine {
            record.terms = .adopting(
                AdmissionPolicy(configuration), after: record.terms, now: earliest)
        } else if record.machine.plan?.accounts != nil || record.machine.plan == nil {
            record.terms = nil
        }
    }

    func admission(of person: String, at place: AdmissionPoint) -> Admission {
        let isRegistered = record.machine.people[person]?.phase.isRegistered == true
        let account: Admission.Account =
            terms.policy.exemptAccounts.contains(person)
            ? .exempt : isRegistered ? .registered : .unregistered
        var admission = Admission(terms, at: place, account: account, earliest: earliest)
        admission.lastLogin = record.people[person]?.session?.fullLoginAt
        admission.owesLogin = record.people[person]?.owesLogin ?? false
        return admission
    }

    /// Whether somebody is let in. What it rests on is on the disk before the answer: the time, so that
    /// the clock cannot be set back behind it, and the word of the provider.
    package func admit(
        _ request: AdmissionRequest, of person: String
    ) async throws -> AdmissionResponse {
        var provider = Admission.Provider.unasked
        while true {
            // Anew each time: while the provider is asked, profiles come and go.
            var admission = admission(of: person, at: request.place)
            admission.local = request.local
            admission.isPresent = request.isPresent
            admission.provider = provider
            switch admission.step(now: now) {
            case .checkLocalPassword: return .checkLocalPassword
            case .refuse(let refusal): return .refused(refusal)
            case .admit(let proof, let until):
                if until != nil { try await keep() }
                return .admitted(proof, until: until)
            case .askProvider:
                guard let password = request.password else { return .passwordNeeded }
                provider = try await verdict(on: password, of: person)
            }
        }
    }

    private func verdict(
        on password: Secret, of person: String
    ) async throws -> Admission.Provider {
        guard let (client, user) = client(for: person), let asked = origin(of: person) else {
            return .undecided
        }
        do throws(ProviderError) {
            let login = try await client.signIn(
                user, password: password, groups: policy(of: person).groups)
            try await keep(login, asked: asked, isFull: true)
            return .accepted
        } catch {
            // What the provider said of another registration says nothing of this one.
            guard isStill(asked) else { return .undecided }
            switch error {
            case .wrongCredential:
                record.people[person]?.owesLogin = true
                try await keep()
                return .rejected
            case .unreachable:
                failures[person] = now
                return .away
            case .deviceUnknown:
                await deviceUnknown(to: error, asked: asked)
                return .undecided
            case .anotherPerson:
                await postpone(person, error)
                return .undecided
            case .later, .contextRefused, .notTrusted, .keys, .card, .pin:
                notices.failed("asking the provider about \(person)", error)
                return .undecided
            }
        }
    }
}
