// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Several who change a machine, a provider or a project's keys, at the same moment.
extension ConformanceCase {
    static let machineRaces: [ConformanceCase] = [
        ConformanceCase("a report about a device remains after a concurrent registration") { f in
            let (machine, keys) = try await f.registeredMachine(serial: "C02RACE")
            for compliance in Device.Compliance.allCases {
                _ = try await race(16) { racer in
                    if racer == 8 {
                        return try await f.store.devices.note(
                            compliance: compliance, until: f.now + .days(1), of: machine.id,
                            in: f.project.id)
                    }
                    var renewed = machine
                    renewed.facts.hostName = "name \(racer)"
                    let outcome = try await f.register(
                        renewed, keys, by: .key(of: machine.id))
                    guard case .registered = outcome else {
                        throw ConformanceFailure(description: "\(outcome)")
                    }
                    return true
                }
                let kept = try await f.store.devices.device(machine.id)
                try expectEqual(kept?.compliance(at: f.now), compliance)
            }
        },
        ConformanceCase("the last sign-in on a machine stays the last one") { f in
            let (machine, _) = try await f.registeredMachine(serial: "C02LAST")
            _ = try await race(16) { racer in
                let outcome =
                    racer % 2 == 0
                    ? try await f.signIn(on: machine, at: f.now + .seconds(Int64(racer))).0
                    : try await f.store.devices.register(
                        f.makeUser(on: machine), key: nil, now: f.now)
                try expectEqual(outcome, .done)
            }
            let users = try await f.store.devices.users(of: machine.id)
            try expectEqual(users.map(\.lastSignInAt), [f.now + .seconds(14)])
        },
        ConformanceCase("a provider that is deleted during a change is deleted with its sessions") {
            f in
            for _ in 0..<3 {
                let provider = f.makeUpstream()
                try expect(await f.store.upstreamProviders.add(provider))
                let link = f.makeLink(to: provider)
                try expect(await f.store.credentials.add(link))
                let session = f.makeSession(from: link)
                try await f.store.sessions.create(session, replacing: nil, now: f.now)
                let removed = try await race(16) { racer in
                    if racer == 8 {
                        return try await f.store.upstreamProviders.remove(
                            upstreamProvider: provider.id, of: f.project.id, now: f.now)
                    }
                    let edit: @Sendable (inout UpstreamProvider) -> Never? = always {
                        $0.settings.buttonText = "name \(racer)"
                    }
                    let outcome = try await f.store.upstreamProviders.change(
                        upstreamProvider: provider.id, now: f.now, edit)
                    try expect(outcome.isKept || outcome == .unknown)
                    return nil
                }
                try expectEqual(removed.compactMap(\.self).map(\.id), [provider.id])
                try expectEqual(
                    await f.store.upstreamProviders.upstreamProviders(of: f.project.id), [])
                try expectEqual(await f.store.sessions.session(session.id, now: f.now), nil)
            }
        },
        ConformanceCase("of rotations and retirements of signing keys at once none loses a key") {
            f in
            let (active, next) = (f.makeKey(.active), f.makeKey(.next))
            try await f.store.signingKeys.addSigningKeys([active, next])
            let done = try await race(24) { racer in
                racer % 2 == 0
                    ? try await f.store.signingKeys.rotateSigningKey(
                        of: f.project.id, promoting: next.kid, successor: f.makeKey(.next),
                        now: f.now)
                    : try await f.store.signingKeys.retireSigningKey(
                        kid: active.kid, of: f.project.id, now: f.now)
            }
            let rotations = done.enumerated().count { $0.offset % 2 == 0 && $0.element }
            let retirements = done.enumerated().count { $0.offset % 2 == 1 && $0.element }
            try expect(rotations == 1 && retirements <= 1)
            let kept = try await f.store.signingKeys.signingKeys(of: f.project.id)
            for state in [SigningKey.State.active, .next] {
                try expectEqual(kept.count { $0.state == state }, 1)
            }
            try expectEqual(kept.count, 2 + rotations - retirements)
        },
        ConformanceCase("of encryption keys that take one's place at once, one is active") { f in
            @Sendable func makeKey() -> EncryptionKey {
                EncryptionKey(
                    id: f.identifier(), project: f.project.id, publicJWK: "{}",
                    sealedPrivateKey: f.bytes(), createdAt: f.now)
            }
            try await f.store.encryptionKeys.addEncryptionKey(makeKey())
            let rotated = try await race(24) { racer in
                guard racer % 4 > 0 else {
                    try await f.store.encryptionKeys.addEncryptionKey(makeKey())
                    return false
                }
                return try await f.store.encryptionKeys.rotateEncryptionKey(to: makeKey())
            }
            let kept = try await f.store.encryptionKeys.encryptionKeys(of: f.project.id)
            try expectEqual(kept.count { $0.state == .active }, 1)
            try expectEqual(kept.count, 1 + rotated.count { $0 })
        },
    ]
}
