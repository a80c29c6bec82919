// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Storage
import Support
import Testing

/// The cost of devices for the store: the speed that `Benchmarks/run --only platform-sso` measures
/// depends on these numbers.
@Suite struct DeviceCostTests {
    private typealias Counts = CountingEngine.Counts

    /// A machine on which Anna has a key, after a first login, so that caches are warm.
    private struct Cost {
        let house: DeviceHouse
        let machine: TestMachine
        let key: PrivateJWK
        private let counted: CountedStore
        var engine: CountingEngine { counted.engine }

        init() async throws {
            counted = try await CountedStore()
            house = try await DeviceHouse(store: counted.store)
            machine = try await TestMachine.registered(in: house)
            key = try TestMachine.pair()
            let registered = try await machine.registerKey(key, token: machine.signedIn())
            #expect(registered.status == 201)
            #expect(try await machine.login(key: key).status == 200)
        }
    }

    @Test("a nonce costs nothing")
    func nonce() async throws {
        let cost = try await Cost()
        let counts = try await cost.engine.count { _ = try await cost.house.nonce() }
        #expect(counts == Counts(reads: 0, writes: 0))
    }

    /// What one message costs that the machine has made beforehand.
    private func operations(
        _ cost: Cost, _ message: [UInt8], to path: String, version: String = "1.0"
    ) async throws -> Operations {
        let (count, answer) = try await KeyOperationCounter.counting {
            try await cost.house.post(message, to: path, version: version)
        }
        #expect(answer.status == 200, "\(answer.json.text)")
        return Operations(
            verifications: count[.verification], signatures: count[.signature],
            agreements: count[.agreement])
    }

    private struct Operations: Equatable {
        let verifications: Int
        let signatures: Int
        let agreements: Int
    }

    private func login(_ cost: Cost) async throws -> [UInt8] {
        let context = try await cost.machine.context()
        let assertion = try context.assertion(key: cost.key.publicKey)
            .signed(by: JOSESigner(cost.key, algorithm: .es256))
        let draft = try context.login(.signedAssertion(assertion), random: cost.house.random)
        return try cost.machine.signed(draft)
    }

    @Test(
        "a login with a key: device, and person with keys, are read; all is written in one commit")
    func login() async throws {
        let cost = try await Cost()
        let counts = try await cost.engine.count {
            let status = try await cost.machine.login(key: cost.key).status
            #expect(status == 200)
        }
        #expect(counts == Counts(reads: 2, writes: 1))
        let operations = try await operations(
            cost, try await login(cost), to: "/platform-sso/token")
        // Of device and person; of the ID token; for the answer.
        #expect(operations == Operations(verifications: 2, signatures: 1, agreements: 1))
    }

    @Test("a refresh: device, and grant with person, are read; nonce and family are written")
    func refresh() async throws {
        let cost = try await Cost()
        let token = try await cost.machine.signedIn()
        let counts = try await cost.engine.count {
            let status = try await cost.machine.refresh(token).0.status
            #expect(status == 200)
        }
        #expect(counts == Counts(reads: 2, writes: 2))
        let context = try await cost.machine.context()
        let message = try cost.machine.signed(try context.refresh(token))
        let operations = try await operations(cost, message, to: "/platform-sso/refresh")
        #expect(operations == Operations(verifications: 1, signatures: 1, agreements: 1))
    }

    @Test("a key request: the key is made and certified once, and found from then on")
    func provision() async throws {
        let cost = try await Cost()
        let token = try await cost.machine.signedIn()
        let made = try await operations(
            cost, try await key(.provision, token, cost), to: "/platform-sso/key", version: "2.0")
        // Of the certificate.
        #expect(made == Operations(verifications: 1, signatures: 1, agreements: 1))
        let message = try await key(.provision, token, cost)
        let counts = try await cost.engine.count {
            let found = try await operations(
                cost, message, to: "/platform-sso/key", version: "2.0")
            #expect(found == Operations(verifications: 1, signatures: 0, agreements: 1))
        }
        #expect(counts == Counts(reads: 3, writes: 2))
    }

    private func key(
        _ operation: VerifiedKeyRequest.Operation, _ token: Secret, _ cost: Cost
    ) async throws -> [UInt8] {
        let context = try await cost.machine.context()
        return try cost.machine.signed(try context.key(operation, refreshToken: token))
    }

    @Test("a key exchange: device, grant with person, and key are read; one commit is written")
    func exchange() async throws {
        let cost = try await Cost()
        let token = try await cost.machine.signedIn()
        let (answer, context) = try await cost.machine.key(.provision, token)
        let made = try cost.machine.keyResponse(answer, context)
        let other = try TestMachine.pair().publicKey
        let operation = VerifiedKeyRequest.Operation.exchange(
            otherPublicKey: other, context: made.keyContext)
        let counts = try await cost.engine.count {
            let status = try await cost.machine.key(operation, token).0.status
            #expect(status == 200)
        }
        #expect(counts == Counts(reads: 3, writes: 1))
        let operations = try await operations(
            cost, try await key(operation, token, cost), to: "/platform-sso/key", version: "2.0")
        // Of the unlock key, and for the answer.
        #expect(operations == Operations(verifications: 1, signatures: 0, agreements: 2))
    }

    @Test("a machine that was not heard of for hours is noted in the commit of its login")
    func wakesUp() async throws {
        let cost = try await Cost()
        cost.house.clock.advance(by: .hours(12))
        let message = try await login(cost)
        let counts = try await cost.engine.count {
            let status = try await cost.house.post(message).status
            #expect(status == 200)
        }
        #expect(counts.writes == 1)
    }

    @Test("what is refused before the nonce costs a look at the device and the event of it")
    func refused() async throws {
        let cost = try await Cost()
        let context = try await cost.machine.context(nonce: "nobody's")
        let draft = try context.login(.password(Secret("x")), random: cost.house.random)
        let message = try cost.machine.signed(draft)
        let counts = try await cost.engine.count {
            let status = try await cost.house.post(message).status
            #expect(status == 400)
        }
        #expect(counts.reads <= 2 && counts.writes <= 1)
    }
}
