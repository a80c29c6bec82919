// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

/// A machine that its provider does not know any more: it was revoked, or taken back.
extension Agent {
    /// Nobody on it is signed in any more, and nothing that was kept opens anything. The machine registers
    /// again, silently where it may.
    func deviceUnknown(to failure: ProviderFailure, of person: String) async {
        guard let plan = record.machine.plan else { return }
        let owner = plan.owner(of: person)
        guard record.machine.devices[owner]?.phase == .registered else { return }
        notices.failed("asking the provider as this machine", failure)
        for name in record.people.keys.sorted() where plan.owner(of: name) == owner {
            record.people[name]?.session = nil
            record.people[name]?.tokens = nil
            await endGrace(of: name)
        }
        do { try await keep() } catch { return }
        await handle(.needsRepair(.device(owner)))
    }
}
