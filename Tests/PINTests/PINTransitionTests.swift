// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PIN
import PINSupport
import Primitives
import Support
import Testing

/// The table of docs/protocols/pin.md, "The server", cell by cell and in both versions: the same
/// that docs/protocols/pin.pml applies in `apply()`.
@Suite struct PINTransitionTests {
    /// The state of a record before the request. Versions: 1 is current, 2 is offered.
    enum Before: CaseIterable {
        case nothing, offeredOnly, current, both, locked, revoked
    }

    enum Ask: Hashable, CaseIterable {
        case signIn, change, commit, resolve, firstOffer

        var isProved: Bool { self != .resolve && self != .firstOffer }
    }

    enum Proof: CaseIterable {
        case right, wrong
    }

    /// What is expected: who is current and offered afterwards, and how many attempts.
    struct After: Equatable {
        var outcome: String
        var current: UInt32?
        var offered: UInt32?
        var used: Int?
    }

    struct Cell: CustomTestStringConvertible {
        var before: Before
        var ask: Ask
        var version: UInt32
        var proof: Proof
        var protocolVersion: PINProtocolVersion
        var testDescription: String {
            "\(before), \(ask) \(version), \(proof), version \(protocolVersion)"
        }

        /// The secrets that the request may prove.
        private func known(_ current: UInt32?, _ offered: UInt32?) -> [UInt32?] {
            switch (ask, protocolVersion) {
            case (.commit, _), (.signIn, .two): [current, offered]
            default: [current]
            }
        }

        /// The table, a second time.
        var expected: After {
            let (current, offered): (UInt32?, UInt32?) =
                switch before {
                case .nothing, .locked, .revoked: (nil, nil)
                case .offeredOnly: (nil, 2)
                case .current: (1, nil)
                case .both: (1, 2)
                }
            func after(
                _ outcome: String, _ current: UInt32?, _ offered: UInt32?, _ used: Int?
            )
                -> After
            { After(outcome: outcome, current: current, offered: offered, used: used) }
            if before == .locked { return after("ended", nil, nil, nil) }
            if before == .revoked { return after("ended", nil, nil, nil) }
            let known = known(current, offered)
            switch ask {
            case .firstOffer: return after("refused", current, offered, 1)
            case .resolve:
                return after("version", current, version == offered ? nil : offered, 1)
            case .signIn, .change, .commit:
                guard known.contains(version) else { return after("refused", current, offered, 1) }
                guard proof == .right else { return after("wrong_pin", current, offered, 2) }
                let left = version == offered ? nil : offered
                switch ask {
                case .signIn: return after("accepted", version, left, 0)
                case .change: return after("delivery", current, before == .both ? 3 : 2, 0)
                default: return after("version", version, left, 0)
                }
            }
        }
    }

    static let cells: [Cell] = Before.allCases.flatMap { before in
        Ask.allCases.flatMap { ask in
            [1, 2, 9].flatMap { version in
                Proof.allCases.filter { ask.isProved || $0 == .right }.flatMap { proof in
                    PINProtocolVersion.allCases.map {
                        Cell(
                            before: before, ask: ask, version: version, proof: proof,
                            protocolVersion: $0)
                    }
                }
            }
        }
    }

    @Test("Each record, request and proof leads where the table says", arguments: cells)
    func cell(_ cell: Cell) async throws {
        let stage = try await PINStage(cell.before)
        let answer =
            switch cell.protocolVersion {
            case .one: try await stage.askInVersion1(cell.ask, cell.version, cell.proof)
            case .two: try await stage.ask(cell.ask, cell.version, cell.proof)
            }
        let record = stage.device.record
        var after = PINTransitionTests.After(
            outcome: answer.code, current: nil, offered: nil, used: nil)
        if case .active(let secrets) = record?.standing {
            after.current = secrets.current?.version
            after.offered = secrets.offered?.secret.version
            after.used = record?.attemptsUsed
        }
        #expect(after == cell.expected)
    }
}

/// A record brought to where a cell begins, with one attempt used while it lives.
private struct PINStage {
    let world: PINWorld
    let device: PINTestDevice
    /// By version; the right ones.
    private var secrets: [UInt32: OpenedPINSecret] = [:]
    private var wrong: OpenedPINSecret?

    init(_ before: PINTransitionTests.Before) async throws {
        world = try PINWorld(limit: 3)
        var device = try PINTestDevice(world)
        let first = try await device.beginEnrolment("24681")
        secrets[1] = first
        switch before {
        case .nothing: try await device.resolve()
        case .offeredOnly:
            // Version 1 is burnt, so that the offered one is 2 here as well.
            device.state = PINDeviceState(binding: device.requests.binding)
            secrets[2] = try await device.beginEnrolment("24681")
        case .current, .both, .locked, .revoked:
            try await device.commit(first)
            wrong = try await device.open("11223")
        }
        if before == .both {
            secrets[2] = try await device.beginChange(proving: first, to: "86421")
        }
        self.device = device
        try await use(before)
    }

    /// Uses one attempt, or all.
    private func use(_ before: PINTransitionTests.Before) async throws {
        guard var record = device.record else { return }
        for _ in 0..<(before == .locked ? 3 : 0) {
            let bytes = try await device.requests.signIn(
                with: try #require(wrong), nonce: world.nonce())
            _ = try await world.answer(bytes)
        }
        if before == .revoked { world.table.revoke(device.keyID) }
        guard before != .locked, before != .revoked else { return }
        // Not every record can be given a wrong proof; the number itself is what is needed.
        var object = try JSONParser.parseObject(record.json, maximumBytes: 65_536)
        object["attempts_used"] = 1
        record = try #require(PINRecord(json: object.bytes, revision: record.revision))
        world.table.put(record)
    }

    func ask(
        _ ask: PINTransitionTests.Ask, _ version: UInt32, _ proof: PINTransitionTests.Proof
    ) async throws -> PINResponse {
        let nonce = world.nonce()
        let secret = try await secret(version, proof)
        let requests = device.requests
        let bytes: [UInt8] =
            switch ask {
            case .signIn: try await requests.signIn(with: secret, nonce: nonce)
            case .commit: try await requests.commit(secret, nonce: nonce)
            case .change:
                try await requests.nextOffer(
                    to: PINTransportKey().publicKey, proving: secret, nonce: nonce)
            case .firstOffer:
                try await requests.firstOffer(to: PINTransportKey().publicKey, nonce: nonce)
            case .resolve: try await requests.resolve(sealed(version), nonce: nonce)
            }
        return try await world.answer(bytes)
    }

    func askInVersion1(
        _ ask: PINTransitionTests.Ask, _ version: UInt32, _ proof: PINTransitionTests.Proof
    ) async throws -> PINResponse {
        let (old, nonce) = (device.version1, world.nonce())
        let secret = Version1Secret(
            version: Int(version),
            bytes: proof == .right ? raw(version) : world.random.bytes(32))
        let transport = Array(Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation)
        let bytes: [UInt8] =
            switch ask {
            case .signIn: try await old.signIn(with: secret, nonce: nonce)
            case .commit: try await old.commit(secret, nonce: nonce)
            case .change: try await old.nextOffer(to: transport, proving: secret, nonce: nonce)
            case .firstOffer: try await old.firstOffer(to: transport, nonce: nonce)
            case .resolve: try await old.resolve(Int(version), nonce: nonce)
            }
        return try await world.answer(bytes)
    }

    /// The bytes of the server's secret with that number, or any others.
    private func raw(_ version: UInt32) -> [UInt8] {
        guard case .active(let secrets) = device.record?.standing else { return [] }
        let found =
            secrets.current?.version == version
            ? world.vault.secret(of: device.record)
            : world.vault.secret(of: device.record, isOffered: true)
        return found ?? world.random.bytes(32)
    }

    /// The right secret of that version; or what a wrong PIN makes of any.
    private func secret(
        _ version: UInt32, _ proof: PINTransitionTests.Proof
    ) async throws -> OpenedPINSecret {
        if proof == .right, let secret = secrets[version] { return secret }
        return try await device.sealer.open(
            sealed(version), of: device.requests.binding, with: DevicePIN("11223"))
    }

    /// A sealed secret under that number, made by another device of the same sealing key.
    private func sealed(_ version: UInt32) async throws -> SealedPINSecret {
        let nonce = world.nonce()
        let transport = PINTransportKey()
        let offered = PINOfferedSecret(
            version: version, secret: Secret(world.random.bytes(32)),
            transportKey: transport.publicKey)
        let statement = try world.signer.delivery(
            of: offered, to: device.keyID, answering: nonce)
        let delivered = try transport.open(
            device.statements.delivery(statement, answering: nonce))
        return try await device.sealer.seal(delivered, under: DevicePIN("24681")).sealed
    }
}
