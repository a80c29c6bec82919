// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn

extension Agent {
    /// Begins one effect, after the record was saved.
    func perform(_ effect: RegistrationEffect) {
        switch effect {
        case .begin(let subject, let attempt): begin(subject, attempt)
        case .abandon(let attempt): endCall(attempt)
        case .prompt(let subject): notices.prompt(subject)
        case .signIn(let person): beginSignIn(person)
        case .bindKey(let person, let attempt): beginBinding(person, attempt)
        case .complete: notify { await $0.registrationDidComplete() }
        case .cancel: notify { await $0.registrationDidCancel() }
        case .configurationRemoved: notify { await $0.configurationRemoved() }
        case .leave(let owner): inBackground { await self.leave(owner) }
        case .forget, .decline: break
        }
    }

    var serving: InstalledExtension? { configuration.flatMap { extensions.find($0) } }

    private func notify(_ call: @escaping @Sendable (any RegistrationExtension) async -> Void) {
        guard let serving = serving ?? outgoing.flatMap({ extensions.find($0) }) else { return }
        inBackground { await call(serving.registration) }
    }

    // MARK: Calls of the extension

    /// How long an extension may take, without and with a person.
    private static let patience = (silent: Duration.seconds(120), present: Duration.seconds(900))

    private func begin(_ subject: RegistrationSubject, _ attempt: RegistrationAttempt) {
        // Between saving and beginning somebody may have given up.
        guard record.machine.isCurrent(attempt, of: subject) else { return }
        let found = configuration(of: subject, presence: attempt.presence)
        guard let found, let serving = extensions.find(found) else {
            // The profile cannot be read now, or the extension is away: that is for later.
            explain("its extension or its profile is not there", subject)
            return inBackground {
                await self.handle(.answered(subject, attempt: attempt.number, .failed))
            }
        }
        reasons[subject] = nil
        let person: String? = if case .person(let name) = subject { name } else { nil }
        let conversation = attempt.presence.flatMap { conversations[$0] }
        let manager = manager(of: subject, attempt, found, conversation)
        let task = Task {
            await conversation?.tell(person == nil ? .registeringDevice : .registeringPerson)
            let result = await ask(serving, to: subject, attempt, found, manager)
            await finish(subject, attempt, result)
        }
        let patience = attempt.presence == nil ? Self.patience.silent : Self.patience.present
        let limit = Task {
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            await expire(subject, attempt)
        }
        calls[attempt.number] = PendingExtensionCall(task: task, limit: limit)
    }

    /// What the extension has of the agent while that call counts.
    private func manager(
        of subject: RegistrationSubject, _ attempt: RegistrationAttempt,
        _ configuration: SSOConfiguration, _ conversation: (any AgentConversation)?
    ) -> RegistrationCallHandle {
        let (owner, account): (DeviceOwner, String?) =
            switch subject {
            case .device(let owner): (owner, nil)
            case .person(let name): (record.machine.plan?.owner(of: name) ?? .everyone, name)
            }
        return RegistrationCallHandle(
            agent: self, attempt: attempt.number, subject: subject, owner: owner, account: account,
            extensionData: configuration.extensionData ?? [],
            registrationToken: configuration.registrationToken, facts: facts, keys: keys,
            authenticationMethod: configuration.authenticationMethod ?? .password,
            conversation: attempt.hasUserInterface ? conversation : nil)
    }

    private func finish(
        _ subject: RegistrationSubject, _ attempt: RegistrationAttempt,
        _ result: ExtensionRegistrationResult
    ) async {
        guard let call = calls.removeValue(forKey: attempt.number) else { return }
        call.limit.cancel()
        let result = settled(result, of: subject)
        if result == .success, let conversation = attempt.presence.flatMap({ conversations[$0] }) {
            let isDevice = if case .device = subject { true } else { false }
            await conversation.tell(isDevice ? .deviceRegistered : .personRegistered)
        }
        if result == .success, case .device(let owner) = subject {
            record.devices[owner]?.registeredAt = now
        }
        await handle(.answered(subject, attempt: attempt.number, result))
        await meet(call.needs)
        await registerReset(call)
    }

    /// What a success left out: a device without a configuration is not registered, and a person
    /// whose name nobody saved is called as their account (`loginUserName`).
    private func settled(
        _ result: ExtensionRegistrationResult, of subject: RegistrationSubject
    ) -> ExtensionRegistrationResult {
        guard result == .success else { return result }
        switch subject {
        case .device(let owner):
            guard record.devices[owner]?.configuration == nil else { return .success }
            explain("its extension saved no configuration", subject)
            return .failed
        case .person(let name):
            if record.people[name]?.loginUserName == nil {
                record.people[name, default: PersonRecord()].loginUserName = name
            }
            return .success
        }
    }

    /// An extension that does not answer has failed.
    private func expire(_ subject: RegistrationSubject, _ attempt: RegistrationAttempt) async {
        guard calls[attempt.number] != nil else { return }
        endCall(attempt.number)
        explain("its extension does not answer", subject)
        await handle(.answered(subject, attempt: attempt.number, .failed))
    }

    /// Nothing of that call counts any more, and what it asked for is dropped; but keys of the machine
    /// that it made are there, and nobody knows them.
    func endCall(_ attempt: UInt64) {
        guard let call = calls.removeValue(forKey: attempt) else { return }
        call.cancel()
        if call.reset != nil { inBackground { await self.registerReset(call) } }
    }

    /// A call that registers nothing has ended by itself: what it asked for is done.
    ///
    /// - Returns: Whether there is anything, which begins now.
    @discardableResult
    func closeRequest(_ number: UInt64) -> Bool {
        guard let call = calls.removeValue(forKey: number) else { return false }
        call.cancel()
        guard !call.needs.isEmpty || call.reset != nil else { return false }
        inBackground {
            await self.meet(call.needs)
            await self.registerReset(call)
        }
        return true
    }

    private func registerReset(_ call: PendingExtensionCall) async {
        if let owner = call.reset { await handle(.needsRepair(.device(owner))) }
    }

    /// Why a registration did not succeed: for the log, the status and whoever waits.
    func explain(_ reason: String, _ subject: RegistrationSubject) {
        let safe = reason.singleLine(atMost: 300)
        reasons[subject] = safe
        notices.registrationFailed(subject, safe)
    }

    func explain(_ reason: String, _ subject: RegistrationSubject, attempt: UInt64) {
        guard calls[attempt] != nil else { return }
        explain(reason, subject)
    }

    /// What an extension says in a call that registers nothing: for the log alone.
    func remark(_ reason: String, of account: String?) {
        notices.failed(
            "asking the extension about \(account ?? "this machine")",
            Remark(description: reason.singleLine(atMost: 300)))
    }

    private struct Remark: Error, CustomStringConvertible {
        let description: String
    }

    // MARK: What a call may keep

    func configuration(of owner: DeviceOwner) -> LoginConfiguration? {
        record.devices[owner]?.configuration
    }

    func confirm(_ attempt: UInt64) throws(PresentationError) {
        guard calls[attempt] != nil else { throw .callOver }
    }

    /// On the disk before anybody hears of them.
    ///
    /// - Parameter subject: What the call registers; `nil` for nothing.
    func deviceKeys(
        of owner: DeviceOwner, attempt: UInt64, fresh: Bool, _ subject: RegistrationSubject?
    ) async throws -> DeviceKeyPairs {
        try confirm(attempt)
        if !fresh, let device = record.devices[owner] {
            return DeviceKeyPairs(signing: device.signing, encryption: device.encryption)
        }
        try confirm(subject, mayReplaceKeysOf: owner)
        let signing = try await keys.makeSigningKey()
        let encryption = try await keys.makeAgreementKey()
        do {
            try confirm(attempt)
            try confirm(subject, mayReplaceKeysOf: owner)
        } catch {
            for key in [signing, encryption] { try? await keys.discard(key) }
            throw error
        }
        record.devices[owner] = DeviceRecord(signing: signing, encryption: encryption)
        // Made in any other call than the device's own registration they are known to nobody.
        if fresh, subject != .device(owner) { calls[attempt]?.reset = owner }
        end(.device(owner))
        try await keep()
        return DeviceKeyPairs(signing: signing, encryption: encryption)
    }

    /// A registration that runs would be of keys that are gone. It makes new ones itself where it must.
    private func confirm(
        _ subject: RegistrationSubject?, mayReplaceKeysOf owner: DeviceOwner
    ) throws(AgentRefusal) {
        guard subject != .device(owner),
            case .registering? = record.machine.devices[owner]?.phase
        else { return }
        throw .declined(.underWay)
    }

    func userKey(
        of account: String?, attempt: UInt64, fresh: Bool,
        _ conversation: (any AgentConversation)?
    ) async throws -> AgentKey {
        guard let account else { throw PresentationError.notAllowed }
        try confirm(attempt)
        if !fresh, let key = record.people[account]?.key, isGuardedEnough(key, of: account) {
            return key
        }
        let (key, secret) = try await makeUserKey(of: account, conversation)
        try confirm(attempt)
        calls[attempt]?.pin = secret.map { (key, $0) }
        record.people[account, default: PersonRecord()].key = key
        record.people[account]?.isKeyInvalid = false
        record.people[account]?.managed.since[.person] = now
        record.people[account]?.wrongPINs = 0
        try await keep()
        return key
    }

    func save(
        _ configuration: LoginConfiguration, of owner: DeviceOwner, attempt: UInt64
    ) async throws {
        try confirm(attempt)
        guard let device = record.devices[owner] else {
            throw KeyStoreError.unusable("the device has none")
        }
        record.devices[owner]?.configuration = configuration
        leaveOthers(than: configuration.issuer, of: owner, before: device.configuration?.issuer)
        try await keep()
    }

    func save(
        _ configuration: UserLoginConfiguration, of account: String?, attempt: UInt64
    ) async throws {
        // During the registration of a device nobody has settings.
        guard let account else { throw PresentationError.notAllowed }
        try confirm(attempt)
        nameAnew(account, configuration.loginUserName, attempt: attempt)
        var person = record.people[account] ?? PersonRecord()
        person.loginUserName = configuration.loginUserName
        person.isNameDoubted = false
        person.loginClaims = configuration.customLoginRequestClaims
        person.assertionClaims = configuration.customAssertionRequestClaims
        record.people[account] = person
        try await keep()
    }
}
