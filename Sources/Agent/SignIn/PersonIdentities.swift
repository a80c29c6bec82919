// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives

/// The identities at the provider that the accounts of this device have (OpenID Connect Core
/// section 12.2): the first sign-in identifies the person, until they are unregistered.
///
/// A response for another person is refused in every later sign-in and refresh. Usernames do not
/// identify a person, because providers assign them again.
@AgentActor
struct PersonIdentities {
    let records: RecordStore
    let sessions: MachineBox<SessionMachine>
    let unlock: MachineBox<UnlockMachine>

    /// Stores who the person is, or verifies that the response is for them.
    func adopt(_ login: VerifiedLogin, of person: String) throws(ProviderError) {
        guard let found = login.identity else {
            throw .notTrusted("the ID token does not identify a person")
        }
        let known = records.record.people[person]?.identity
        guard known?.isSame(as: found) ?? true else { throw .anotherPerson }
        if known == nil { records.record.people[person]?.identity = found }
        records.record.people[person]?.strangerAt = nil
    }

    /// Handles a failure that the person did not cause: the person stays signed in, and the request is
    /// sent again later. The status shows that the provider responded for another person.
    func postpone(_ person: String, _ error: ProviderError) async {
        let time = records.now
        sessions.machine.handle(.failed(person), now: time)
        guard case .anotherPerson = error else { return }
        records.record.people[person]?.strangerAt = time
        try? await records.save()
    }

    /// Deletes the identities and tokens of other providers than the given issuer.
    ///
    /// - Parameter before: The issuer of the device until now. It determines the issuer of people without
    ///   an identity; if it is unknown, their tokens are deleted.
    func removeOthers(than issuer: String, of owner: DeviceOwner, before: String?) {
        if let before, !before.hasSameBytes(as: issuer) { records.end(.device(owner)) }
        for person in records.record.people.keys
        where records.record.registrations.plan?.owner(of: person) == owner {
            let known = records.record.people[person]?.identity?.issuer ?? before
            if known?.hasSameBytes(as: issuer) != true { removeIdentity(of: person) }
        }
    }

    /// Deletes the identity of an account that registers under another username, as that may be another
    /// person. A username that changes outside of a registration does not matter.
    func rename(_ person: String, _ name: String?, attempt: UInt64) {
        guard case .registering(let call)? = records.record.registrations.people[person]?.phase,
            call.number == attempt, let before = records.record.people[person]?.loginUserName,
            before != name
        else { return }
        removeIdentity(of: person)
    }

    private func removeIdentity(of person: String) {
        records.end(.person(person))
        records.record.people[person]?.identity = nil
        records.record.people[person]?.strangerAt = nil
        records.record.people[person]?.session = nil
        records.record.people[person]?.tokens = nil
        records.record.people[person]?.cachedKeyAgreements = []
        unlock.machine.handle(.forgotten(person), now: records.now)
    }
}
