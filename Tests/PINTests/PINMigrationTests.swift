// SPDX-License-Identifier: Apache-2.0
import PIN
import PINSupport
import PINVersion1
import Primitives
import Testing

/// Secrets that version 1 sealed, on a device with version 2.
@Suite struct PINMigrationTests {
    private let right = "24681"

    /// A registered device whose store is that of an app of version 1.
    private func outdated(
        _ world: PINWorld, isOffered: Bool = false
    ) async throws -> PINTestDevice {
        var device = try PINTestDevice(world)
        if isOffered {
            _ = try await device.beginEnrolment(right)
        } else {
            try await device.enrol(right)
        }
        let bytes = try #require(world.vault.secret(of: device.record, isOffered: isOffered))
        let state = try await Version1Store.state(
            Version1Secret(version: 1, bytes: bytes), under: right, of: device.requests.binding,
            sealedBy: device.sealing, isOffered: isOffered, random: world.random)
        device.state = try #require(PINDeviceState(json: state))
        return device
    }

    @Test("With version 1 on board an old secret opens, and the PIN changes to itself")
    func migrates() async throws {
        let world = try PINWorld()
        var device = try await outdated(world)
        #expect(device.state.isOutdated)
        #expect(try await device.signIn(right) == .accepted)
        let before = try #require(world.vault.secret(of: device.record))
        try await device.change(from: right, to: right)
        #expect(!device.state.isOutdated && device.state.current?.version == 2)
        #expect(world.vault.secret(of: device.record) != before)
        #expect(try await device.signIn(right) == .accepted)
        #expect(try await device.signIn("11223").attemptsUsed == 1)
    }

    @Test("A wrong PIN on an old secret is counted, and nothing is sealed again")
    func wrongPIN() async throws {
        let world = try PINWorld()
        let device = try await outdated(world)
        let offer = try await device.requests.nextOffer(
            to: PINTransportKey().publicKey, proving: device.open("11223"), nonce: world.nonce())
        #expect(try await world.answer(offer).attemptsUsed == 1)
        #expect(device.state.isOutdated)
    }

    @Test("Without version 1 an old secret does not open, whatever the PIN")
    func withoutVersion1() async throws {
        let world = try PINWorld()
        let device = try await outdated(world)
        let sealed = try #require(device.state.current)
        let sealer = PINSealer(key: device.sealing, stretching: .quick, random: world.random)
        #expect(!sealer.supports(sealed) && device.sealer.supports(sealed))
        for pin in [right, "11223"] {
            await #expect(throws: PINSealingError.outdated) {
                _ = try await sealer.open(
                    sealed, of: device.requests.binding, with: DevicePIN(pin))
            }
        }
    }

    @Test("An old offered secret is not signed in with: the device asks first, as version 1 did")
    func offered() async throws {
        let world = try PINWorld()
        var device = try await outdated(world, isOffered: true)
        #expect(device.state.signInSecret == nil && !device.state.isOutdated)
        try await device.resolve()
        #expect(device.state.current == nil && device.state.offered == nil)
    }

    @Test("Attack 115: a new secret that is passed off as an old one does not open")
    func downgradedBox() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        let old = try await outdated(world)
        // The boxes change places: the sealing key binds each to its version and costs.
        var text = String(decoding: old.state.json, as: UTF8.self)
        let box = { (state: PINDeviceState) -> String in
            let json = String(decoding: state.json, as: UTF8.self)
            return json.split(separator: #""box":""#)[1].split(separator: #"""#)[0].description
        }
        text.replace(box(old.state), with: box(device.state))
        let mixed = try #require(PINDeviceState(json: Array(text.utf8))?.current)
        #expect(mixed.isOutdated)
        for device in [device, old] {
            await #expect(throws: PINSealingError.sealingKey(.refused)) {
                _ = try await device.sealer.open(
                    mixed, of: device.requests.binding, with: DevicePIN(right))
            }
        }
    }
}
