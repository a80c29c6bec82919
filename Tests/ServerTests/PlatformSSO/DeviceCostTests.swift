// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Storage
import Support
import Testing

/// What machines cost the store: the speed that `Benchmarks/run --only platform-sso` measures stands on
/// these numbers.
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

    @Test("a login with a key: device, person and key are read; all is written in one commit")
    func login() async throws {
        let cost = try await Cost()
        let counts = try await cost.engine.count {
            let status = try await cost.machine.login(key: cost.key).status
            #expect(status == 200)
        }
        #expect(counts == Counts(reads: 3, writes: 1))
    }

    @Test("a refresh: device, grant and person are read; nonce and family are written")
    func refresh() async throws {
        let cost = try await Cost()
        let token = try await cost.machine.signedIn()
        let counts = try await cost.engine.count {
            let status = try await cost.machine.refresh(token).0.status
            #expect(status == 200)
        }
        #expect(counts == Counts(reads: 3, writes: 2))
    }

    @Test("a key exchange: device, grant, person and key are read; one commit is written")
    func exchange() async throws {
        let cost = try await Cost()
        let token = try await cost.machine.signedIn()
        let (answer, context) = try await cost.machine.key(.provision, token)
        let made = try cost.machine.keyResponse(answer, context)
        let other = try TestMachine.pair().publicKey
        let counts = try await cost.engine.count {
            let operation = VerifiedKeyRequest.Operation.exchange(
                otherPublicKey: other, context: made.keyContext)
            let status = try await cost.machine.key(operation, token).0.status
            #expect(status == 200)
        }
        #expect(counts == Counts(reads: 4, writes: 1))
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
