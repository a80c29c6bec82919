// SPDX-License-Identifier: Apache-2.0
import AgentClient
import SingleSignOn

/// Makes the login managers that extensions get for their calls.
@AgentActor
struct LoginManagerFactory {
    let records: RecordStore
    let calls: ExtensionCalls
    let keys: CallKeys
    let record: CallRecord
    let attestation: DeviceKeyAttestation
    let facts: LocalDeviceAttributes

    /// Returns the manager of a registration.
    func manager(
        of subject: RegistrationSubject, _ attempt: RegistrationAttempt,
        _ configuration: SSOConfiguration, _ conversation: (any AgentConversation)?
    ) -> LoginManagerSession {
        let place =
            switch subject {
            case .device(let owner): KeyOwner(owner: owner, account: nil)
            case .person(let name): place(of: name)
            }
        var manager = manager(
            attempt.number, place, configuration,
            attempt.hasUserInterface ? conversation : nil)
        manager.subject = subject
        manager.registrationToken = configuration.registrationToken
        manager.makesKeys = true
        return manager
    }

    /// Returns the manager of a call that registers nothing, for a person.
    func manager(
        _ number: UInt64, of person: String, _ configuration: SSOConfiguration,
        _ conversation: (any AgentConversation)? = nil
    ) -> LoginManagerSession {
        manager(number, place(of: person), configuration, conversation)
    }

    /// Returns the manager of a call that registers nothing.
    func manager(
        _ number: UInt64, _ place: KeyOwner, _ configuration: SSOConfiguration,
        _ conversation: (any AgentConversation)? = nil
    ) -> LoginManagerSession {
        LoginManagerSession(
            attempt: number, place: place, calls: calls, keys: keys, record: record,
            attestation: attestation, extensionData: configuration.extensionData ?? [],
            facts: facts, authenticationMethod: configuration.authenticationMethod ?? .password,
            conversation: conversation)
    }

    private func place(of person: String) -> KeyOwner {
        let owner = records.record.registrations.plan?.owner(of: person) ?? .everyone
        return KeyOwner(owner: owner, account: person)
    }
}
