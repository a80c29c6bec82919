// SPDX-License-Identifier: Apache-2.0
import CTAP
import Support

/// A client with a software key before it, and a relying party behind it.
struct ClientFixture {
    static let challenge = [UInt8](repeating: 0x42, count: 32)
    static let caller = CeremonyCaller.web(origin: "https://login.example.org")

    let key: SoftwareAuthenticator
    let transport: TestTransport
    let person: TestPerson
    let client: SecurityKeyClient

    init(
        _ configuration: AuthenticatorConfiguration = AuthenticatorConfiguration(),
        person: TestPerson = TestPerson(), gesture: any UserGesture = AutomaticGesture(),
        seed: UInt64 = 1,
        change: @escaping @Sendable (CTAPRequest, [UInt8]) -> [UInt8] = { $1 }
    ) throws {
        key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), configuration: configuration, gesture: gesture,
            clock: ManualClock(), random: SeededRandom(seed: seed))
        transport = TestTransport(key, change: change)
        self.person = person
        client = SecurityKeyClient(
            source: FixedAuthenticators([TestDevice("key", transport)]), interaction: person,
            random: SeededRandom(seed: seed + 100), delay: TestDelay())
    }

    /// The same key once more, before another person.
    func client(_ person: TestPerson) -> SecurityKeyClient {
        SecurityKeyClient(
            source: FixedAuthenticators([TestDevice("key", TestTransport(key))]),
            interaction: person, random: SeededRandom(seed: 7), delay: TestDelay())
    }

    func open() async throws -> SecurityKey {
        try await SecurityKey.open(TestDevice("key", transport))
    }

    static func creation(user: UInt8 = 1) -> RegistrationOptions {
        RegistrationOptions(
            relyingPartyId: "example.org", relyingPartyName: "Example",
            user: CTAPUser(id: [user], name: "user\(user)", displayName: "User \(user)"),
            challenge: challenge, algorithms: [-7])
    }

    static func request() -> AssertionOptions {
        AssertionOptions(relyingPartyId: "example.org", challenge: challenge)
    }

    /// Returns the error of a failed ceremony.
    static func failure<Value>(
        _ body: () async throws(SecurityKeyError) -> Value
    ) async -> SecurityKeyError? {
        do {
            _ = try await body()
            return nil
        } catch { return error }
    }
}
