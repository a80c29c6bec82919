// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn

/// What a call of an extension reads and saves besides keys. Each change is saved before the extension
/// continues, and is refused after the call has ended.
@AgentActor
struct CallRecord {
    let records: RecordStore
    let calls: ExtensionCalls
    let identities: PersonIdentities

    // MARK: The device

    func configuration(of owner: DeviceOwner) -> LoginConfiguration? {
        records.record.devices[owner]?.configuration
    }

    func save(
        _ configuration: LoginConfiguration, of owner: DeviceOwner, attempt: UInt64
    ) async throws {
        try calls.confirm(attempt)
        guard let device = records.record.devices[owner] else {
            throw KeyStoreError.unusable("the device has none")
        }
        records.record.devices[owner]?.configuration = configuration
        identities.removeOthers(
            than: configuration.issuer, of: owner, before: device.configuration?.issuer)
        try await records.save()
    }

    // MARK: The person

    func person(_ account: String) -> ExtensionPerson {
        let person = records.record.people[account]
        return ExtensionPerson(
            isRegistered: records.record.registrations.people[account]?.phase.isRegistered ?? false,
            loginUserName: person?.loginUserName, configuration: person?.configuration,
            tokens: person?.tokens, identity: person?.identity)
    }

    func save(
        _ configuration: UserLoginConfiguration, of account: String?, attempt: UInt64
    ) async throws {
        try await change(account, attempt: attempt, renaming: configuration.loginUserName) {
            $0.loginClaims = configuration.customLoginRequestClaims
            $0.assertionClaims = configuration.customAssertionRequestClaims
        }
    }

    func save(loginUserName: String?, of account: String?, attempt: UInt64) async throws {
        try await change(account, attempt: attempt, renaming: loginUserName) { _ in }
    }

    func save(tokens: JSONObject?, of account: String?, attempt: UInt64) async throws {
        let account = try confirm(account, attempt: attempt)
        records.record.people[account, default: PersonRecord()].tokens = tokens
        try await records.save()
    }

    private func change(
        _ account: String?, attempt: UInt64, renaming name: String?,
        _ change: (inout PersonRecord) -> Void
    ) async throws {
        let account = try confirm(account, attempt: attempt)
        identities.rename(account, name, attempt: attempt)
        var person = records.record.people[account] ?? PersonRecord()
        person.loginUserName = name
        person.isNameDoubted = false
        change(&person)
        records.record.people[account] = person
        try await records.save()
    }

    /// - Throws: ``PresentationError/notAllowed`` in the registration of a device, which has no person.
    private func confirm(
        _ account: String?, attempt: UInt64
    ) throws(PresentationError) -> String {
        guard let account else { throw .notAllowed }
        try calls.confirm(attempt)
        return account
    }

    // MARK: The call

    /// Adds an action that starts after the call: a repair during the registration would interrupt it.
    func request(_ need: ExtensionRepairReason, _ place: KeyOwner, attempt: UInt64) throws {
        try calls.confirm(attempt)
        let isOfPerson = need == .reauthentication || need == .personRepair
        guard place.account != nil || !isOfPerson else { throw PresentationError.notAllowed }
        calls.add(RequestedNeed(need: need, place: place), to: attempt)
    }
}
