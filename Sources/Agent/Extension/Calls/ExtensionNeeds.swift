// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives

/// Starts the actions that extensions requested in their calls.
@AgentActor
struct ExtensionNeeds {
    let records: RecordStore
    let keys: any KeySource
    let renewals: Renewals
    let notices: any AgentEventLog
    let events: any AgentEvents

    func meet(_ call: PendingExtensionCall) async {
        for need in call.needs { await meet(need.need, need.place) }
        if let owner = call.reset { await events.handle(.needsRepair(.device(owner))) }
    }

    private func meet(_ need: ExtensionRepairReason, _ place: KeyOwner) async {
        switch (need, place.account) {
        case (.deviceRepair, _): await events.handle(.needsRepair(.device(place.owner)))
        case (.decryptionKeys, _): await replaceEncryptionKey(of: place.owner)
        case (.personRepair, let account?): await events.handle(.needsRepair(.person(account)))
        case (.reauthentication, let account?): await requireLogin(of: account)
        case (.personRepair, nil), (.reauthentication, nil): break
        }
    }

    private func replaceEncryptionKey(of owner: DeviceOwner) async {
        do {
            let key = try await keys.makeAgreementKey()
            guard records.record.devices[owner] != nil else { return }
            records.record.devices[owner]?.encryption = key
            try await records.save()
        } catch { return notices.failed("making a key", error) }
        await events.handle(.needsRepair(.device(owner)))
    }

    /// Makes a full login due, whatever the age of the last one.
    private func requireLogin(of person: String) async {
        guard records.record.people[person]?.session != nil else { return }
        records.record.people[person]?.session?.fullLoginAt = Timestamp(milliseconds: 0)
        do { try await records.save() } catch { return }
        await renewals.renew(person)
    }
}
