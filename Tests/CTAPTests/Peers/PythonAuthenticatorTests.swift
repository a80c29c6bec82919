// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation
import JOSE
import Primitives
import Support
import Testing
import WebAuthn

/// The client with an authenticator that shares no code with ``SoftwareAuthenticator``. An error on
/// both sides of Gatehouse is detected here.
@Suite(
    .enabled(if: PeerProgram.hasPython, "python-fido2 is not in .venv"), .timeLimit(.minutes(2)))
struct PythonAuthenticatorTests {
    private let random = SystemRandomSource()
    private let party = RelyingParty(id: "example.com", origins: ["https://example.com"])
    private let caller = CeremonyCaller.web(origin: "https://example.com")

    private let folder = TestFolder()

    /// The endpoint of the authenticator.
    enum Place: CaseIterable, Sendable { case pty, socket }

    /// - Parameter habit: `slow` or `dies`, on a pty.
    private func started(
        _ habit: String? = nil, at place: Place = .pty
    ) async throws -> (RunningProgram, HIDDevice) {
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "python_authenticator.py").path()
        let words =
            switch place {
            case .pty: ["pty"] + [habit].compactMap { $0 }
            case .socket: ["socket", folder.path("key.socket")]
            }
        let running = try RunningProgram([PeerProgram.python, program] + words)
        let path = try await running.line(containing: "/")
        return (running, HIDDevice(path: path, kind: .stream, random: random))
    }

    private func client(_ device: HIDDevice, _ person: TestPerson) -> SecurityKeyClient {
        SecurityKeyClient(
            source: FixedAuthenticators([device]), interaction: person, random: random)
    }

    private func register(
        _ client: SecurityKeyClient, user: UInt8 = 1,
        verification: UserVerificationRequirement = .discouraged, discoverable: Bool = false,
        excluding: [[UInt8]] = []
    ) async throws -> StoredCredential {
        let challenge = random.bytes(32)
        var options = CTAP.RegistrationOptions(
            relyingPartyId: "example.com", relyingPartyName: "Example",
            user: CTAPUser(id: [user], name: "person \(user)", displayName: nil),
            challenge: challenge, algorithms: [-7])
        options.userVerification = verification
        options.attestation = .direct
        options.residentKey = discoverable ? .required : .discouraged
        options.excludeCredentials = excluding.map { CTAPCredentialDescriptor(id: $0) }
        let made = try await client.register(options, caller: caller)
        let verified = try await party.verify(
            registration: UnverifiedRegistration(json: made.json.bytes),
            expecting: RegistrationExpectation(
                challenge: challenge, userVerification: verification,
                algorithms: AcceptedAlgorithms([.es256]),
                now: SystemWallClock().now)
        ).get()
        #expect(verified.format == "packed")
        return StoredCredential(
            id: verified.credentialId, publicKey: verified.publicKey,
            signCount: verified.signCount, backupEligible: false)
    }

    @discardableResult
    private func signIn(
        _ client: SecurityKeyClient, _ credential: StoredCredential,
        verification: UserVerificationRequirement = .discouraged, named: Bool = true
    ) async throws -> SecurityKeyAssertion {
        let challenge = random.bytes(32)
        var options = AssertionOptions(relyingPartyId: "example.com", challenge: challenge)
        options.userVerification = verification
        if named { options.allowCredentials = [CTAPCredentialDescriptor(id: credential.id)] }
        let assertion = try await client.signIn(options, caller: caller)
        _ = try party.verify(
            assertion: UnverifiedAssertion(json: assertion.json.bytes), for: credential,
            expecting: AssertionExpectation(
                challenge: challenge, userVerification: verification,
                allowCredentials: named ? [credential.id] : [])
        ).get()
        return assertion
    }

    @Test("Without a PIN a credential is made and signs", arguments: Place.allCases)
    func withoutPIN(_ place: Place) async throws {
        let (running, device) = try await started(at: place)
        let client = client(device, TestPerson())
        try await signIn(client, register(client))
        try await running.end()
    }

    @Test("Keep-alives of the other side are waited out, and shown as a touch")
    func keepalives() async throws {
        let (running, device) = try await started("slow")
        let person = TestPerson()
        let client = client(device, person)
        try await signIn(client, register(client))
        let touches = person.log.prompts.filter { if case .touch = $0 { true } else { false } }
        #expect(touches.count >= 2)
        try await running.end()
    }

    @Test("A PIN is set on the way and verifies the person from then on", arguments: Place.allCases)
    func pin(_ place: Place) async throws {
        let (running, device) = try await started(at: place)
        let person = TestPerson(pins: ["4711é", "4711é"], newPINs: ["4711é"])
        let client = client(device, person)
        let credential = try await register(client, verification: .required)
        try await signIn(client, credential, verification: .required)
        try await running.end()
    }

    @Test("A wrong PIN is reported with the remaining attempts, and three of them lock the key")
    func wrongPIN() async throws {
        let (running, device) = try await started()
        _ = try await register(
            client(device, TestPerson(pins: ["1234"], newPINs: ["1234"])),
            verification: .required)
        let person = TestPerson(pins: ["0000", "1111", "2222", "3333"])
        await #expect(throws: SecurityKeyError.mustBeReinserted) {
            _ = try await register(client(device, person), verification: .required)
        }
        #expect(
            person.log.pinRequests.map(\.problem) == [
                nil, .wrongPIN(triesLeft: 7), .wrongPIN(triesLeft: 6),
            ])
        try await running.end()
    }

    @Test("Of several accounts on the key the person chooses one")
    func accounts() async throws {
        let (running, device) = try await started()
        let person = TestPerson(
            pins: Array(repeating: "1234", count: 6), newPINs: ["1234"], account: "person 2")
        let client = client(device, person)
        var credentials: [StoredCredential] = []
        for user: UInt8 in 1...3 {
            credentials.append(
                try await register(
                    client, user: user, verification: .required, discoverable: true))
        }
        let assertion = try await signIn(
            client, credentials[1], verification: .required, named: false)
        #expect(assertion.userHandle == [2])
        try await running.end()
    }

    @Test("A key that is registered already is refused")
    func excluded() async throws {
        let (running, device) = try await started()
        let client = client(device, TestPerson())
        let credential = try await register(client)
        await #expect(throws: SecurityKeyError.alreadyRegistered) {
            _ = try await register(client, excluding: [credential.id])
        }
        try await running.end()
    }

    @Test("A credential that is not on the key is not found")
    func foreign() async throws {
        let (running, device) = try await started()
        let client = client(device, TestPerson())
        var credential = try await register(client)
        credential.id[0] ^= 1
        await #expect(throws: SecurityKeyError.noCredential) {
            try await signIn(client, credential)
        }
        try await running.end()
    }

    @Test("A key that is removed during an operation ends it")
    func gone() async throws {
        let (running, device) = try await started("dies")
        let client = client(device, TestPerson())
        await #expect(throws: SecurityKeyError.keyRemoved) { _ = try await register(client) }
        try await running.end()
    }
}
