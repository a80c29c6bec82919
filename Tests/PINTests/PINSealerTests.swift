// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import JOSE
import PIN
import PINSupport
import Primitives
import Testing

@Suite struct PINSealerTests {
    /// A sealing key that notes what passes, and can fail.
    private actor ObservedKey: PINSealingKey {
        private(set) var inner: [[UInt8]] = []
        private var failure: PINSealingKeyError?

        func fail(with failure: PINSealingKeyError?) { self.failure = failure }

        func seal(
            _ plaintext: [UInt8], context: [UInt8]
        ) async throws(PINSealingKeyError) -> [UInt8] {
            if let failure { throw failure }
            inner.append(plaintext)
            return context + plaintext
        }

        func open(
            _ sealed: [UInt8], context: [UInt8]
        ) async throws(PINSealingKeyError) -> [UInt8] {
            if let failure { throw failure }
            guard sealed.starts(with: context) else { throw .refused }
            return Array(sealed.dropFirst(context.count))
        }
    }

    @Test("What the sealing key gets to see is as long as the secret and not the secret")
    func inner() async throws {
        let world = try PINWorld()
        let key = ObservedKey()
        let (device, _, secret) = try await enrolled(world, key)
        let inner = await key.inner
        #expect(inner.map(\.count) == [32])
        #expect(inner.first != world.vault.secret(of: device.record))
        #expect(secret.version == 1)
    }

    @Test("A sealed secret opens step by step as it is described: the pad of PBKDF2")
    func steps() async throws {
        let world = try PINWorld()
        let key = ObservedKey()
        let (device, _, _) = try await enrolled(
            world, key, PINStretching(rounds: PINStretching.acceptedRounds.lowerBound))
        let stored = try JSONParser.parseObject(device.state.json, maximumBytes: 65_536)
        let current = try #require(stored["current"]?.object)
        #expect(current.names == ["ver", "rounds", "salt", "box"])
        #expect(current["rounds"] == 210_000)
        let salt = try #require(current["salt"]?.string.flatMap { Base64URL.decode($0) })
        let pad = try KDF.Insecure.PBKDF2.deriveKey(
            from: Array("24681".utf8), salt: salt, using: .sha256, outputByteCount: 32,
            rounds: 210_000
        ).withUnsafeBytes { Array($0) }
        let inner = try #require(await key.inner.first)
        #expect(zip(inner, pad).map { $0 ^ $1 } == world.vault.secret(of: device.record))
    }

    @Test("A sealing key that is away, or another one, is told apart from a wrong PIN")
    func failures() async throws {
        let world = try PINWorld()
        let key = ObservedKey()
        let (device, sealed, _) = try await enrolled(world, key)
        let sealer = sealer(world, key)
        for failure in [PINSealingKeyError.unavailable, .refused] {
            await key.fail(with: failure)
            await #expect(throws: PINSealingError.sealingKey(failure)) {
                _ = try await sealer.open(
                    sealed, of: device.requests.binding, with: DevicePIN("24681"))
            }
        }
        await key.fail(with: nil)
        _ = try await sealer.open(sealed, of: device.requests.binding, with: DevicePIN("24681"))
    }

    @Test("A sealed secret is bound to its key, issuer and costs")
    func bound() async throws {
        let world = try PINWorld()
        let device = try await world.device()
        let sealed = try #require(device.state.current)
        let binding = device.requests.binding
        let others = [
            PINBinding(issuer: "https://elsewhere.example", keyID: binding.keyID),
            PINBinding(issuer: binding.issuer, keyID: try PINTestDevice(world).keyID),
        ]
        for other in others {
            await #expect(throws: PINSealingError.sealingKey(.refused)) {
                _ = try await device.sealer.open(sealed, of: other, with: DevicePIN("24680"))
            }
        }
        var object = try JSONParser.parseObject(device.state.json, maximumBytes: 65_536)
        var current = try #require(object["current"]?.object)
        current["rounds"] = 210_000
        object["current"] = .object(current)
        let cheapened = try #require(PINDeviceState(json: object.bytes)?.current)
        await #expect(throws: PINSealingError.sealingKey(.refused)) {
            _ = try await device.sealer.open(cheapened, of: binding, with: DevicePIN("24680"))
        }
    }

    @Test("Sealing twice never uses one salt or one box twice")
    func fresh() async throws {
        let world = try PINWorld()
        var seen: Set<[UInt8]> = []
        for _ in 0..<5 { seen.insert(try await world.device().state.json) }
        #expect(seen.count == 5)
        let first = try await world.device().state.current
        let second = try await world.device().state.current
        #expect(first != second)
    }

    @Test("A software sealing key has 32 bytes, and opens only what it sealed")
    func software() async throws {
        #expect(SoftwareSealingKey(Secret([UInt8](repeating: 1, count: 31))) == nil)
        let key = try #require(SoftwareSealingKey(Secret([UInt8](repeating: 1, count: 32))))
        let other = try #require(SoftwareSealingKey(Secret([UInt8](repeating: 2, count: 32))))
        let sealed = try await key.seal([1, 2, 3], context: [4])
        #expect(try await key.open(sealed, context: [4]) == [1, 2, 3])
        await #expect(throws: PINSealingKeyError.refused) {
            try await other.open(sealed, context: [4])
        }
        await #expect(throws: PINSealingKeyError.refused) {
            try await key.open(sealed, context: [5])
        }
        await #expect(throws: PINSealingKeyError.refused) { try await key.open([], context: [4]) }
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            await #expect(throws: PINSealingKeyError.refused) {
                try await key.open(changed, context: [4])
            }
        }
    }

    private func sealer(
        _ world: PINWorld, _ key: ObservedKey, _ stretching: PINStretching = .quick
    ) -> PINSealer { PINSealer(key: key, stretching: stretching, random: world.random) }

    private func enrolled(
        _ world: PINWorld, _ key: ObservedKey, _ stretching: PINStretching = .quick
    ) async throws -> (PINTestDevice, SealedPINSecret, OpenedPINSecret) {
        var device = try PINTestDevice(world)
        let transport = PINTransportKey()
        let nonce = world.nonce()
        let answer = try await world.register(
            device.requests.firstOffer(to: transport.publicKey, nonce: nonce),
            device.key.publicKey)
        guard case .delivery(let statement) = answer else { throw PINTestDevice.Unexpected(answer) }
        let delivered = try transport.open(
            device.statements.delivery(statement, answering: nonce))
        let (sealed, secret) = try await sealer(world, key, stretching).seal(
            delivered, under: DevicePIN("24681"))
        device.state = try device.state.offering(sealed)
        try await device.commit(secret)
        return (device, sealed, secret)
    }
}
