// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let projects: [ConformanceCase] = [
        ConformanceCase("a saved project is found by name and by id, with all it had") { f in
            var project = f.project
            project.theme = Theme(displayName: "Büro", logo: nil, accent: "#aabbcc")
            project.policy.codeLifetime = 30
            project.policy.selfRegistration = false
            project.environment = .production
            try expect(await f.store.projects.save(project))
            try expectEqual(await f.store.projects.project(named: project.name), project)
            try expectEqual(await f.store.projects.project(project.id), project)
        },
        ConformanceCase("an unknown project is nil") { f in
            try expectEqual(await f.store.projects.project(named: "no such project"), nil)
            try expectEqual(await f.store.projects.project(f.identifier()), nil)
        },
        ConformanceCase("a second project cannot take a name, new or by renaming") { f in
            var other = Project(
                id: f.identifier(), name: f.project.name, environment: .development,
                createdAt: f.now)
            try expect(await !f.store.projects.save(other))
            other.name += "-b"
            try expect(await f.store.projects.save(other))
            other.name = f.project.name
            try expect(await !f.store.projects.save(other))
            try expectEqual(await f.store.projects.project(named: f.project.name), f.project)
        },
        ConformanceCase("projects are listed in order of name, page by page") { f in
            let first = try await f.store.projects.projects(after: nil, limit: 1)
            try expectEqual(first.count, 1)
            let after = try await f.store.projects.projects(after: f.project.name, limit: 100)
            try expect(after.allSatisfy { $0.name > f.project.name })
            let all = try await f.store.projects.projects(after: nil, limit: 1000).map(\.name)
            try expectEqual(all, all.sorted { Array($0.utf8).lexicographicallyPrecedes($1.utf8) })
        },
        ConformanceCase("a change builds upon what is there, and is kept whole or not at all") {
            f in
            let kept = try await f.store.projects.change(project: f.project.id) {
                project -> String? in
                project.policy.codeLifetime = 45
                return nil
            }
            var edited = f.project
            edited.policy.codeLifetime = 45
            try expectEqual(kept, .saved(from: f.project, to: edited))
            try expectEqual(await f.store.projects.project(f.project.id), edited)
            let refused = try await f.store.projects.change(project: f.project.id) {
                project -> String? in
                project.policy.codeLifetime = 5
                return "too short"
            }
            try expectEqual(refused, .refused("too short"))
            try expectEqual(await f.store.projects.project(f.project.id), edited)
            let nowhere = try await f.store.projects.change(project: f.identifier()) {
                _ -> String? in nil
            }
            try expectEqual(nowhere, .unknown)
        },
        ConformanceCase("of many changes at once none is lost") { f in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        _ = try await f.store.projects.change(project: f.project.id) {
                            project -> String? in
                            var rule = SystemVersionPolicy()
                            rule.name = "system-\(number)"
                            project.policy.registration.systems.append(rule)
                            return nil
                        }
                    }
                }
                try await group.waitForAll()
            }
            let kept = try await f.store.projects.project(f.project.id)
            let names = kept?.policy.registration.systems.map(\.name) ?? []
            try expectEqual(Set(names), Set((0..<20).map { "system-\($0)" }))
            try expectEqual(names.count, 20)
        },
        ConformanceCase("removing a project removes everything in it") { f in
            let session = f.makeSession()
            let challenge = f.makeChallenge()
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            try await f.store.challenges.issue(challenge)
            let grant = try await f.redeemedGrant()
            try await f.store.auditLog.append([f.makeEvent("sign-in.passkey")])
            try await f.store.signingKeys.addSigningKeys([f.makeKey(.active)])
            try await f.store.projects.remove(project: f.project.id)
            try expectEqual(await f.store.projects.project(f.project.id), nil)
            try expectEqual(await f.store.people.person(f.person.id), nil)
            try expectEqual(await f.store.clients.client(f.client.id), nil)
            try expectEqual(await f.store.grants.grant(grant.id), nil)
            try expectEqual(await f.store.sessions.session(session.id, now: f.now), nil)
            try expectEqual(await f.store.signingKeys.signingKeys(of: f.project.id), [])
            var filter = AuditFilter()
            filter.project = f.project.id
            try expectEqual(await f.store.auditLog.auditEvents(filter, before: nil, limit: 10), [])
            let gone = try await f.store.challenges.peek(
                hash: challenge.hash, purpose: challenge.purpose, in: f.project.id, now: f.now)
            try expectEqual(gone, nil)
        },
    ]
}
