// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let clients: [ConformanceCase] = [
        ConformanceCase("a client is found by id and by client id, with all it had") { f in
            let client = f.makeClient("wiki")
            try expect(await f.store.clients.save(client, now: f.now))
            try expectEqual(await f.store.clients.client(client.id), client)
            try expectEqual(
                await f.store.clients.client(clientID: "wiki", in: f.project.id), client)
            try expectEqual(await f.store.clients.client(clientID: "none", in: f.project.id), nil)
            let other = try await StoreFixture(f.store)
            try expectEqual(
                await f.store.clients.client(clientID: "wiki", in: other.project.id), nil)
        },
        ConformanceCase("a client is replaced, and no second one takes its client id") { f in
            var client = f.client
            client.metadata.clientName = "Shop"
            client.secretHash = nil
            try expect(await f.store.clients.save(client, now: f.now))
            try expectEqual(await f.store.clients.client(client.id), client)
            try expect(await !f.store.clients.save(f.makeClient("shop"), now: f.now))
            var other = f.makeClient("wiki")
            _ = try await f.store.clients.save(other, now: f.now)
            other.clientID = "shop"
            try expect(await !f.store.clients.save(other, now: f.now))
        },
        ConformanceCase("clients are listed in order, page by page") { f in
            for name in ["wiki", "a"] {
                _ = try await f.store.clients.save(f.makeClient(name), now: f.now)
            }
            let first = try await f.store.clients.clients(of: f.project.id, after: nil, limit: 2)
            try expectEqual(first.map(\.clientID), ["a", "shop"])
            let rest = try await f.store.clients.clients(of: f.project.id, after: "shop", limit: 2)
            try expectEqual(rest.map(\.clientID), ["wiki"])
        },
        ConformanceCase("clients are found by how their client id begins, page by page") { f in
            for name in ["sho", "shop-a", "shop-b", "shop\u{E9}", "Shop", "s_p"] {
                _ = try await f.store.clients.save(f.makeClient(name), now: f.now)
            }
            func find(_ prefix: String, after last: String? = nil) async throws -> [String] {
                try await f.store.clients.clients(
                    of: f.project.id, startingWith: prefix, after: last, limit: 3
                ).map(\.clientID)
            }
            try expectEqual(await find("shop"), ["shop", "shop-a", "shop-b"])
            try expectEqual(await find("shop", after: "shop-b"), ["shop\u{E9}"])
            try expectEqual(await find("shop", after: "a"), ["shop", "shop-a", "shop-b"])
            try expectEqual(await find("s_"), ["s_p"])
            try expectEqual(await find("%"), [])
            let others = try await f.store.clients.clients(
                of: f.identifier(), startingWith: "shop", after: nil, limit: 3)
            try expectEqual(others.map(\.clientID), [])
        },
        ConformanceCase("disabling a client revokes its grants") { f in
            let grant = try await f.redeemedGrant()
            var client = f.client
            client.disabled = true
            try expect(await f.store.clients.save(client, now: f.now))
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
        },
        ConformanceCase("removing a client removes its grants and consents") { f in
            let grant = try await f.redeemedGrant()
            try await f.store.consents.save(
                Consent(
                    project: f.project.id, person: f.person.id, client: f.client.id,
                    scope: "openid", givenAt: f.now))
            try await f.store.clients.remove(client: f.client.id)
            try expectEqual(await f.store.clients.client(f.client.id), nil)
            try expectEqual(await f.store.grants.grant(grant.id), nil)
            try expect(await f.store.consents.consents(of: f.person.id).isEmpty)
        },
    ]
}
