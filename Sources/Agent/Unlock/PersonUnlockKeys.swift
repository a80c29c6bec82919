// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives

/// The unlock keys of people: requests them from the key service, and their successors before their
/// certificates expire. A sealed secret names the key to which it was sealed.
@AgentActor
struct PersonUnlockKeys {
    let records: RecordStore
    let clients: LoginClients
    let unlock: MachineBox<UnlockMachine>
    let conversations: Conversations
    let background: BackgroundWork
    let notices: any AgentEventLog
    let events: any AgentEvents

    /// Returns the unlock key of that person under the registration of now. A key of an earlier
    /// registration opens nothing, so that nothing may be sealed to it.
    func key(of person: String) -> UnlockRecord? {
        let record = records.record
        guard let plan = record.registrations.plan, plan.usesKeyService,
            record.registrations.devices[plan.owner(of: person)]?.phase == .registered,
            record.registrations.people[person]?.phase == .registered
        else { return nil }
        return record.people[person]?.unlock
    }

    /// Whether the person is registered or a registration runs.
    func mayHaveKey(_ person: String) -> Bool {
        switch records.record.registrations.people[person]?.phase {
        case .registering, .signingIn, .bindingKey, .bindingLater, .registered: true
        case nil, .waitingForDevice, .waiting, .retrying, .refused: false
        }
    }

    // MARK: Provision

    /// Starts the request for the first key.
    func startBinding(_ person: String, _ attempt: UInt64) {
        let conversation = conversations[person]
        background.start {
            await conversation?.report(.bindingKey)
            let isBound = await provision(person)
            if isBound { await conversation?.report(.keyBound) }
            await events.handle(.keyBound(person, attempt: attempt, isBound))
        }
    }

    private func provision(_ person: String) async -> Bool {
        guard let (client, user) = clients.client(for: person),
            let origin = records.origin(of: person),
            let token = records.record.people[person]?.session?.refreshToken
        else { return false }
        do {
            let unlock = try await client.provision(user, token: token)
            guard records.isCurrent(origin) else { return false }
            records.record.people[person]?.unlock = unlock
            try await records.save()
            return true
        } catch {
            notices.failed("asking for the unlock key of \(person)", error)
            if let failure = error as? ProviderError, case .deviceUnknown = failure {
                await events.deviceUnknown(failure, origin)
            }
            return false
        }
    }

    // MARK: Renewal

    /// Returns when the certificate of a person is renewed; `nil` if there is none.
    private func renewal(of person: String) -> Timestamp? {
        guard records.record.people[person]?.session != nil, let unlock = key(of: person),
            let certificate = UnlockCertificateInfo(unlock.certificate)
        else { return nil }
        return self.unlock.machine.renewal(of: person, certificate, now: records.now)
    }

    /// When ``renewDue()`` is due.
    var nextRenewal: Timestamp? {
        records.record.people.keys.compactMap { renewal(of: $0) }.min()
    }

    func renewDue() async {
        for person in records.record.people.keys.sorted() {
            guard let time = renewal(of: person), time <= records.now else { continue }
            await renew(person)
        }
    }

    private func renew(_ person: String) async {
        let before = records.record.people[person]?.unlock
        let isDone = await provision(person)
        // A provider that issues the same certificate gets another request later.
        let after = records.record.people[person]?.unlock
        let isNew = isDone && after?.certificate != before?.certificate
        unlock.machine.handle(
            isNew ? .certificateRenewed(person) : .renewalFailed(person), now: records.now)
        records.publishChange()
    }

    /// Returns a key whose certificate has not expired: a secret that is sealed to an expired one may
    /// never be opened.
    func validKey(
        of person: String
    ) async throws -> (unlock: UnlockRecord, certificate: UnlockCertificateInfo) {
        guard let stored = key(of: person) else { throw AgentRefusal.noUnlockKey }
        if UnlockCertificateInfo(stored.certificate)?.isOver(records.now) ?? true {
            await renew(person)
        }
        guard let unlock = key(of: person),
            let certificate = UnlockCertificateInfo(unlock.certificate)
        else { throw AgentRefusal.noUnlockKey }
        guard !certificate.isOver(records.now) else { throw AgentRefusal.unlockKeyOver }
        return (unlock, certificate)
    }
}
