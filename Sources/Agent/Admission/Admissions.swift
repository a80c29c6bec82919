// SPDX-License-Identifier: Apache-2.0
import AgentClient
import PlatformSSO
import Primitives
import SingleSignOn

/// Admits people at the disk, the login window and the lock screen, as ``Admission`` decides.
@AgentActor
struct Admissions {
    let records: RecordStore
    let profiles: ActiveProfiles
    let clients: LoginClients
    let signIns: SignIns
    let sessions: MachineBox<SessionMachine>
    let notices: any AgentEventLog
    let events: any AgentEvents

    /// The terms in force, also while the profile cannot be read.
    private var terms: EffectiveAdmissionPolicy {
        records.record.terms
            ?? EffectiveAdmissionPolicy(AdmissionPolicy(usesPasswords: false), since: records.now)
    }

    /// Applies the policies of the profile. They concern the device, so that profiles for single accounts
    /// do not change them.
    func adoptTerms() {
        if let configuration = profiles.state.choice.machine {
            records.record.terms = .adopting(
                AdmissionPolicy(configuration), after: records.record.terms, now: records.earliest)
        } else if records.record.registrations.plan?.accounts != nil
            || records.record.registrations.plan == nil
        {
            records.record.terms = nil
        }
    }

    func admission(of person: String, at place: AdmissionPoint) -> Admission {
        let record = records.record
        let isRegistered = record.registrations.people[person]?.phase.isRegistered == true
        let account: Admission.Account =
            terms.policy.exemptAccounts.contains(person)
            ? .exempt : isRegistered ? .registered : .unregistered
        var admission = Admission(terms, at: place, account: account, earliest: records.earliest)
        admission.lastLogin = record.people[person]?.session?.fullLoginAt
        admission.owesLogin = record.people[person]?.owesLogin ?? false
        return admission
    }

    /// Decides whether a person is admitted. The facts of the decision are saved before the answer: the
    /// time, so that a clock that is set back changes nothing, and the response of the provider.
    func admit(
        _ request: AdmissionRequest, of person: String
    ) async throws -> AdmissionResponse {
        var provider = Admission.Provider.unasked
        while true {
            // Created again each time, as profiles may change during the request.
            var admission = admission(of: person, at: request.place)
            admission.local = request.local
            admission.isPresent = request.isPresent
            admission.provider = provider
            switch admission.step(now: records.now) {
            case .checkLocalPassword: return .checkLocalPassword
            case .refuse(let refusal): return .refused(refusal)
            case .admit(let proof, let until):
                if until != nil { try await records.save() }
                return .admitted(proof, until: until)
            case .askProvider:
                guard let password = request.password else { return .passwordNeeded }
                provider = try await verify(password, of: person)
            }
        }
    }

    private func verify(
        _ password: Secret, of person: String
    ) async throws -> Admission.Provider {
        guard let (client, user) = clients.client(for: person),
            let origin = records.origin(of: person)
        else { return .undecided }
        do throws(ProviderError) {
            let login = try await client.signIn(
                user, password: password, groups: profiles.policy(of: person).groups)
            try await signIns.accept(login, origin, isFull: true)
            return .accepted
        } catch {
            // A response to a request of another registration decides nothing.
            guard records.isCurrent(origin) else { return .undecided }
            return try await failed(error, origin)
        }
    }

    private func failed(
        _ error: ProviderError, _ origin: RequestOrigin
    ) async throws -> Admission.Provider {
        let person = origin.person
        switch error {
        case .wrongCredential:
            records.record.people[person]?.owesLogin = true
            try await records.save()
            return .rejected
        case .unreachable:
            sessions.machine.handle(.failed(person), now: records.now)
            return .away
        case .deviceUnknown: await events.deviceUnknown(error, origin)
        case .anotherPerson: await signIns.identities.postpone(person, error)
        case .later, .contextRefused, .notTrusted, .keys, .card, .pin:
            notices.failed("asking the provider about \(person)", error)
        }
        return .undecided
    }
}
