// SPDX-License-Identifier: Apache-2.0

/// The components of the agent, each with the capabilities that it uses. They are values that are made
/// for each use: an agent that is released ends with them.
extension Agent {
    // MARK: Keys

    var personKeys: PersonKeys {
        PersonKeys(
            records: records, profiles: profiles, keys: keys,
            securityKey: SecurityKeyPresence(keys: securityKeys), events: self)
    }

    var attestation: DeviceKeyAttestation {
        DeviceKeyAttestation(records: records, calls: calls, attester: keys, notices: notices)
    }

    private var callKeys: CallKeys {
        CallKeys(records: records, calls: calls, keys: keys, personKeys: personKeys)
    }

    var rotations: Rotations {
        Rotations(
            records: records, profiles: profiles, calls: calls, keys: callKeys,
            managers: managers, conversations: conversations, sessions: sessions,
            rotation: rotation, notices: notices, events: self)
    }

    // MARK: Calls of extensions

    private var managers: LoginManagerFactory {
        LoginManagerFactory(
            records: records, calls: calls, keys: callKeys,
            record: CallRecord(records: records, calls: calls, identities: identities),
            attestation: attestation, facts: facts)
    }

    var registrationCalls: RegistrationCalls {
        RegistrationCalls(
            records: records, profiles: profiles, calls: calls, managers: managers,
            personKeys: personKeys, conversations: conversations, isInSetup: isInSetup,
            background: background, events: self)
    }

    var needs: ExtensionNeeds {
        ExtensionNeeds(
            records: records, keys: keys, renewals: renewals, notices: notices, events: self)
    }

    var appRequests: AppRequests {
        AppRequests(profiles: profiles, calls: calls, managers: managers, events: self)
    }

    var avatars: Avatars {
        Avatars(
            records: records, profiles: profiles, calls: calls, managers: managers,
            background: background, notices: notices, events: self)
    }

    // MARK: Sign-in

    private var identities: PersonIdentities {
        PersonIdentities(records: records, sessions: sessions, unlock: unlock)
    }

    private var clients: LoginClients {
        LoginClients(records: records, profiles: profiles, exchange: exchange, keys: keys)
    }

    var schedules: SignInSchedules {
        SignInSchedules(
            records: records, profiles: profiles, personKeys: personKeys, sessions: sessions)
    }

    var signIns: SignIns {
        SignIns(
            records: records, profiles: profiles, clients: clients, personKeys: personKeys,
            identities: identities, cards: CardSignIn(cards: cards, clock: exchange.clock),
            sessions: sessions, conversations: conversations, avatars: avatars,
            background: background, notices: notices, events: self)
    }

    var renewals: Renewals {
        Renewals(
            records: records, profiles: profiles, schedules: schedules, clients: clients,
            signIns: signIns, grace: grace, sessions: sessions, notices: notices, events: self)
    }

    var admissions: Admissions {
        Admissions(
            records: records, profiles: profiles, clients: clients, signIns: signIns,
            sessions: sessions, notices: notices, events: self)
    }

    // MARK: Unlock keys

    var grace: GracePeriods {
        GracePeriods(records: records, profiles: profiles, unlock: unlock)
    }

    var unlockKeys: PersonUnlockKeys {
        PersonUnlockKeys(
            records: records, clients: clients, unlock: unlock, conversations: conversations,
            background: background, notices: notices, events: self)
    }

    var sealing: SecretSealing {
        SecretSealing(
            records: records, clients: clients, unlockKeys: unlockKeys, grace: grace,
            renewals: renewals, random: exchange.random, events: self)
    }

    // MARK: Registration

    var registrations: AttendedRegistrations {
        AttendedRegistrations(
            records: records, conversations: conversations, calls: calls, signIns: signIns,
            events: self)
    }

    var departures: Departures {
        Departures(records: records, profiles: profiles, notices: notices, events: self)
    }

    var recovery: DeviceRecovery {
        DeviceRecovery(
            records: records, rotations: rotations, departures: departures, unlock: unlock,
            notices: notices, events: self)
    }

    var statusReport: AgentStatusReport {
        AgentStatusReport(
            records: records, profiles: profiles, calls: calls, schedules: schedules,
            personKeys: personKeys, unlockKeys: unlockKeys, rotations: rotations,
            admissions: admissions, keyStore: keys.kind)
    }
}
