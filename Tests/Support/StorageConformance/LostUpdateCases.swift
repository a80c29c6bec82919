// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Of changes to one record at the same moment each keeps what the others did.
extension ConformanceCase {
    static let lostUpdates: [ConformanceCase] = peopleLost + recordsLost + credentialsLost

    private static let peopleLost: [ConformanceCase] = [
        ConformanceCase("who is disabled while they rename themselves stays disabled") { f in
            for _ in 0..<3 {
                let one = try await StoreFixture(f.store)
                let (id, now) = (one.person.id, one.now)
                _ = try await race(24) { racer in
                    let edit: @Sendable (inout Person) -> Never? = always {
                        if racer == 12 { return $0.disabled = true }
                        $0.claims.name = "name \(racer)"
                    }
                    try expect(await one.store.people.change(person: id, now: now, edit).isKept)
                }
                try expectEqual(await one.store.people.person(id)?.disabled, true)
                try expectEqual(
                    await one.store.people.person(id)?.claims.name?.hasPrefix("name"), true)
            }
        },
        ConformanceCase("groups, addresses and names of certificates outlive a rename") { f in
            let id = f.person.id
            for group in ["staff", "admins"] {
                try expectEqual(await f.join(group, leaves: false), .changed)
            }
            _ = try await race(24) { racer in
                let edit: @Sendable (inout Person) -> Never? = always {
                    switch racer {
                    case 1: $0.claims.altSecurityIdentities = ["X509:<SR>01"]
                    case 2:
                        $0.claims.email = "a@example.com"
                        $0.claims.emailVerified = true
                    case 3: $0.claims.nickname = "beate"
                    default: $0.claims.name = "name \(racer)"
                    }
                }
                if racer == 0 {
                    try expectEqual(await f.join("admins", leaves: true), .changed)
                } else {
                    try expect(await f.store.people.change(person: id, now: f.now, edit).isKept)
                }
            }
            let kept = try await f.store.people.person(
                verifiedEmail: "a@example.com", in: f.project.id)
            try expectEqual(kept?.claims.groups, ["staff"])
            try expectEqual(kept?.claims.altSecurityIdentities, ["X509:<SR>01"])
            try expectEqual(kept?.claims.nickname, "beate")
            let listed = try await f.store.groups.members(
                of: "admins", in: f.project.id, after: nil, limit: 9)
            try expectEqual(listed, [])
        },
        ConformanceCase("an edit that changes nothing writes nothing, and no event") { f in
            let due = TransactionalAuditEvent { f.makeEvent("admin.person.update") }
            let store = f.store.recording(due)
            let edit: @Sendable (inout Person) -> Never? = always { $0.disabled = false }
            let kept = try await store.people.change(person: f.person.id, now: f.now, edit)
            try expectEqual(kept, .saved(from: f.person, to: f.person))
            let client = try await store.clients.change(
                client: f.client.id, now: f.now, always { $0.disabled = false })
            try expectEqual(client, .saved(from: f.client, to: f.client))
            try expect(!due.isWritten)
        },
    ]

    private static let recordsLost: [ConformanceCase] = [
        ConformanceCase("a client that is disabled while others change it stays disabled") { f in
            let id = f.client.id
            _ = try await f.redeemedGrant()
            _ = try await race(24) { racer in
                let edit: @Sendable (inout Client) -> Never? = always {
                    if racer == 12 { return $0.disabled = true }
                    $0.metadata.redirectURIs.append("https://\(racer).example/")
                }
                try expect(await f.store.clients.change(client: id, now: f.now, edit).isKept)
            }
            let kept = try await f.store.clients.client(id)
            try expectEqual(kept?.disabled, true)
            try expectEqual(kept?.metadata.redirectURIs.count, 23)
            try expectEqual(await f.store.grants.grants(of: f.person.id, now: f.now), [])
        },
        ConformanceCase("a provider that is switched off while others change it stays off") { f in
            let provider = f.makeUpstream()
            try expect(await f.store.upstreamProviders.add(provider))
            try expect(await !f.store.upstreamProviders.add(provider))
            _ = try await race(24) { racer in
                let edit: @Sendable (inout UpstreamProvider) -> Never? = always {
                    if racer == 12 { return $0.isEnabled = false }
                    $0.settings.buttonText = "name \(racer)"
                }
                try expect(
                    await f.store.upstreamProviders.change(
                        upstreamProvider: provider.id, now: f.now, edit
                    ).isKept)
            }
            let kept = try await f.store.upstreamProviders.upstreamProvider(
                named: provider.name, in: f.project.id)
            try expectEqual(kept?.isEnabled, false)
            try expectEqual(kept?.settings.buttonText.hasPrefix("name"), true)
        },
        ConformanceCase("of changes to an issuer's key none is lost, and no name is taken") { f in
            let (key, other) = (f.makeIssuerKey(), f.makeIssuerKey(kid: "k2"))
            for key in [key, other] { try expect(await f.store.issuerKeys.add(key)) }
            _ = try await race(24) { racer in
                try expect(
                    await f.store.issuerKeys.change(
                        issuerKey: key.id, always { $0.settings.attributes.append("a\(racer)") }
                    ).isKept)
            }
            let kept = try await f.store.issuerKeys.issuerKey(
                issuer: "idp", kid: "k1", in: f.project.id)
            try expectEqual(kept?.settings.attributes.count, 25)
            let taken = try await f.store.issuerKeys.change(
                issuerKey: key.id, always { $0.kid = other.kid })
            try expectEqual(taken, .taken)
            let unknown = try await f.store.issuerKeys.change(
                issuerKey: f.identifier(), always { $0.kid = "k3" })
            try expectEqual(unknown, .unknown)
        },
        ConformanceCase("what was read is replaced by one of many, and by none after it") { f in
            let wanted = (0..<24).map { number in
                var client = f.client
                client.metadata.clientName = "client \(number)"
                return client
            }
            let kept = try await withThrowingTaskGroup(of: Client?.self) { group in
                for new in wanted {
                    group.addTask {
                        let edit = ChangedMeanwhile.unless(f.client, becomes: new)
                        return try await f.store.clients.change(client: new.id, now: f.now, edit)
                            .record
                    }
                }
                return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
            try expectEqual(
                kept, [try await f.store.clients.client(f.client.id)].compactMap(\.self))
            let again = ChangedMeanwhile.unless(f.client, becomes: kept[0])
            try expect(await f.store.clients.change(client: f.client.id, now: f.now, again).isKept)
        },
    ]
}

extension StoreFixture {
    fileprivate func join(_ group: String, leaves: Bool) async throws -> GroupMembershipOutcome {
        try await store.groups.change(
            GroupMembershipChange(
                group: group, person: person.id, project: project.id, joins: !leaves, at: now),
            recording: makeEvent("admin.group"))
    }
}
