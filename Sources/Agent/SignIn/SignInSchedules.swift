// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The schedules by which people sign in, as the record and the profiles determine them now.
@AgentActor
struct SignInSchedules {
    let records: RecordStore
    let profiles: ActiveProfiles
    let personKeys: PersonKeys
    let sessions: MachineBox<SessionMachine>

    func schedule(of person: String) -> SignInSchedule {
        var policy = profiles.policy(of: person)
        policy.usesKey = personKeys.signsAlone(person)
        return SignInSchedule(
            policy: policy, session: records.record.people[person]?.session,
            failedAt: sessions.machine.failures[person])
    }

    /// When the next renewal of tokens is due.
    var nextRenewal: Timestamp? {
        let people = records.record.people.keys.map { ($0, schedule(of: $0)) }
        let schedules = Dictionary(people) { first, _ in first }
        return sessions.machine.nextRenewal(schedules, now: records.now)
    }
}
