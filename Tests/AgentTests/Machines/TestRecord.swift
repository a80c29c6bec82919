// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support

@testable import Agent

/// A record of a registered device and of Anna, who is registered on it and signed in.
struct TestRecord {
    static let start = Timestamp(seconds: 1_800_000_000)
    static let device = RegistrationSubject.device(.everyone)
    static let anna = RegistrationSubject.person("anna")

    var record: AgentRecord

    init(_ plan: RegistrationPlan = .test(token: true)) async throws {
        record = AgentRecord(
            machine: MachineRun.complete(plan).machine, latest: Self.start)
        var device = DeviceRecord(signing: try await Self.key(), encryption: try await Self.key())
        device.configuration = ScriptedExtension.configuration
        device.registeredAt = Self.start
        record.devices[.everyone] = device
        var person = PersonRecord()
        person.loginUserName = "anna@example.com"
        person.session = Self.session()
        record.people["anna"] = person
    }

    static func key() async throws -> AgentKey {
        try await AgentKeyStore(.file, random: SystemRandomSource()).makeSigningKey()
    }

    static func session(_ token: String = "t") -> SignInSession {
        SignInSession(
            refreshToken: Secret(token), idToken: "", subject: nil, groups: [],
            fullLoginAt: start, refreshedAt: start, expiresAt: start + .days(30))
    }

    static func identity(_ subject: String = "s1") -> LoginIdentity? {
        LoginIdentity(
            issuer: "https://idp.example.com", subject: subject, claim: "sub", identifier: nil)
    }
}
