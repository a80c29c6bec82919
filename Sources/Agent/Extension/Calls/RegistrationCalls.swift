// SPDX-License-Identifier: Apache-2.0
import AgentClient
import SingleSignOn

/// Calls extensions to register devices and people.
@AgentActor
struct RegistrationCalls {
    let records: RecordStore
    let profiles: ActiveProfiles
    let calls: ExtensionCalls
    let managers: LoginManagerFactory
    let personKeys: PersonKeys
    let conversations: Conversations
    /// Whether the device is set up for the first time.
    let isInSetup: @Sendable () -> Bool
    let background: BackgroundWork
    let events: any AgentEvents

    /// The time limits of a call, without and with a person.
    private static let limits = (silent: Duration.seconds(120), present: Duration.seconds(900))

    /// Starts a call.
    func start(_ subject: RegistrationSubject, _ attempt: RegistrationAttempt) {
        // The person may have cancelled while the record was saved.
        guard records.record.registrations.isCurrent(attempt, of: subject) else { return }
        let found = profiles.state.configuration(of: subject, presence: attempt.presence)
        guard let found, let serving = profiles.extensions.find(found) else {
            // The profile cannot be read, or the extension is missing: a later try may succeed.
            calls.explain("its extension or its profile is not there", subject)
            return background.start {
                await events.handle(.answered(subject, attempt: attempt.number, .failed))
            }
        }
        calls.clearReason(of: subject)
        let conversation = attempt.presence.flatMap { conversations[$0] }
        let manager = managers.manager(of: subject, attempt, found, conversation)
        let task = Task {
            await conversation?.report(subject.isDevice ? .registeringDevice : .registeringPerson)
            let result = await call(serving, for: subject, attempt, found, manager)
            await finish(subject, attempt, result)
        }
        let time = attempt.presence == nil ? Self.limits.silent : Self.limits.present
        let limit = Task {
            guard (try? await Task.sleep(for: time)) != nil else { return }
            await expire(subject, attempt)
        }
        calls.open(PendingExtensionCall(task: task, limit: limit), as: attempt.number)
    }

    // MARK: Call

    /// Calls the extension. It is not called for what it does not support, until the profile or the
    /// extension changes; if it does not report what it supports, a later try follows.
    private func call(
        _ serving: InstalledExtension, for subject: RegistrationSubject,
        _ attempt: RegistrationAttempt, _ found: SSOConfiguration, _ call: LoginManagerSession
    ) async -> ExtensionRegistrationResult {
        var manager = call
        let method = call.authenticationMethod
        let abilities: ExtensionDescription
        do { abilities = try await serving.registration.describe() } catch {
            calls.explain("\(error)", subject, attempt: attempt.number)
            return .failed
        }
        manager.abilities = abilities
        let hasKeyService = records.record.registrations.plan?.usesKeyService == true
        if let obstacle = abilities.obstacle(to: method, hasKeyService: hasKeyService) {
            calls.explain(
                "the extension cannot do it: " + obstacle, subject, attempt: attempt.number)
            return .failedNoRetry
        }
        let options = attempt.options.union(circumstances(of: subject, found))
        guard case .person(let account) = subject else {
            return await serving.registration.beginDeviceRegistration(manager, options: options)
        }
        let person = records.record.people[account]
        return await serving.registration.beginUserRegistration(
            manager, userName: person?.isNameDoubted == true ? nil : person?.loginUserName,
            method: method, options: options)
    }

    /// Returns the options that describe the present circumstances.
    private func circumstances(
        of subject: RegistrationSubject, _ found: SSOConfiguration
    ) -> ExtensionRequestOptions {
        var options: ExtensionRequestOptions = []
        if found.platformSSO?.enableRegistrationDuringSetup == true, isInSetup() {
            options.insert(.setupAssistant)
        }
        if found.fallsBackToPage { options.insert(.openIDFallback) }
        guard case .person(let account) = subject,
            found.authenticationMethod == .userSecureEnclaveKey,
            let person = records.record.people[account]
        else { return options }
        if person.isKeyInvalid { options.insert(.userKeyInvalid) }
        // A PIN or a touch that the profile requires now makes the next key the stronger one.
        if let key = person.key, !personKeys.requirement(of: account).isMet(by: key) {
            options.insert(.strongerKeyAvailable)
        }
        return options
    }

    // MARK: Result

    private func finish(
        _ subject: RegistrationSubject, _ attempt: RegistrationAttempt,
        _ result: ExtensionRegistrationResult
    ) async {
        guard let call = calls.remove(attempt.number) else { return }
        call.limit.cancel()
        let result = complete(result, of: subject)
        if result == .success {
            let conversation = attempt.presence.flatMap { conversations[$0] }
            await conversation?.report(subject.isDevice ? .deviceRegistered : .personRegistered)
            if case .device(let owner) = subject {
                records.record.devices[owner]?.registeredAt = records.now
            }
        }
        await events.handle(.answered(subject, attempt: attempt.number, result))
        await events.meet(call)
    }

    /// Completes a success: a device without a configuration is not registered, and a person without a
    /// saved username gets their account name (`loginUserName`).
    private func complete(
        _ result: ExtensionRegistrationResult, of subject: RegistrationSubject
    ) -> ExtensionRegistrationResult {
        guard result == .success else { return result }
        switch subject {
        case .device(let owner):
            guard records.record.devices[owner]?.configuration == nil else { return .success }
            calls.explain("its extension saved no configuration", subject)
            return .failed
        case .person(let name):
            if records.record.people[name]?.loginUserName == nil {
                records.record.people[name, default: PersonRecord()].loginUserName = name
            }
            return .success
        }
    }

    /// Fails a call whose extension does not respond.
    private func expire(_ subject: RegistrationSubject, _ attempt: RegistrationAttempt) async {
        guard calls.isOpen(attempt.number) else { return }
        calls.abandon(attempt.number, events)
        calls.explain("its extension does not answer", subject)
        await events.handle(.answered(subject, attempt: attempt.number, .failed))
    }
}

extension RegistrationSubject {
    fileprivate var isDevice: Bool { if case .device = self { true } else { false } }
}
