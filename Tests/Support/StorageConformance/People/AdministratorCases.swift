// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let administrators: [ConformanceCase] = [
        ConformanceCase("a person has one role in a project and one in all, replaced in place") {
            f in
            try expectEqual(await f.store.administrators.administration(of: f.person.id), [])
            let everywhere = f.makeAdministrator(.auditor)
            let here = f.makeAdministrator(.developer, in: f.project.id)
            for role in [everywhere, here] {
                try expectEqual(await f.store.administrators.assign(role), .assigned)
            }
            var promoted = f.makeAdministrator(.support, in: f.project.id)
            try expectEqual(await f.store.administrators.assign(promoted), .assigned)
            promoted.id = here.id
            let kept = try await f.store.administrators.administration(of: f.person.id)
            try expectEqual(Set(kept.map(\.id)), [everywhere.id, here.id])
            try expect(kept.contains(promoted) && kept.contains(everywhere))
        },
        ConformanceCase("a role without a person, or in an unknown project, is refused") { f in
            var nobody = f.makeAdministrator(.support)
            nobody.person = f.identifier()
            try expectEqual(await f.store.administrators.assign(nobody), .unknown)
            try expectEqual(
                await f.store.administrators.assign(
                    f.makeAdministrator(.support, in: f.identifier())), .unknown)
            try expectEqual(await f.store.administrators.administration(of: f.person.id), [])
        },
        ConformanceCase("a role is taken once, and only where it was given") { f in
            _ = try await f.store.administrators.assign(
                f.makeAdministrator(.support, in: f.project.id))
            let (store, person) = (f.store, f.person.id)
            try expectEqual(
                await store.administrators.dismiss(administrator: person, of: nil), .unknown)
            try expectEqual(
                await store.administrators.dismiss(administrator: person, of: f.identifier()),
                .unknown)
            try expectEqual(
                await store.administrators.dismiss(administrator: person, of: f.project.id),
                .dismissed)
            try expectEqual(
                await store.administrators.dismiss(administrator: person, of: f.project.id),
                .unknown)
        },
        ConformanceCase("the last owner stays one; of two who dismiss each other one stays") { f in
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            try await f.dismissOwners()
            let anna = f.makeAdministrator(.owner)
            try expectEqual(await f.store.administrators.assign(anna), .assigned)
            try expectEqual(
                await f.store.administrators.dismiss(administrator: anna.person, of: nil),
                .lastOwner)
            try expectEqual(
                await f.store.administrators.assign(f.makeAdministrator(.auditor)), .lastOwner)
            try expectEqual(
                await f.store.administrators.assign(f.makeAdministrator(.owner)), .assigned)
            var other = f.makeAdministrator(.owner)
            other.person = bea.id
            try expectEqual(await f.store.administrators.assign(other), .assigned)
            let store = f.store
            async let first = store.administrators.dismiss(administrator: anna.person, of: nil)
            async let second = store.administrators.dismiss(administrator: bea.id, of: nil)
            let outcomes = try await [first, second]
            try expectEqual(outcomes.count { $0 == .dismissed }, 1)
            try expectEqual(outcomes.count { $0 == .lastOwner }, 1)
            try await f.dismissOwners()
        },
        ConformanceCase("administrators are listed by age with the names that people read") { f in
            let role = f.makeAdministrator(.support, in: f.project.id)
            let everywhere = f.makeAdministrator(.auditor)
            for made in [role, everywhere] { _ = try await f.store.administrators.assign(made) }
            var last: Identifier<Administrator>?
            var mine: [AdministratorSummary] = []
            repeat {
                let page = try await f.store.administrators.administrators(after: last, limit: 2)
                mine += page.filter { $0.administrator.person == f.person.id }
                last = page.last?.administrator.id
            } while last != nil
            try expectEqual(mine.map(\.administrator.id), [role.id, everywhere.id].sorted())
            try expect(mine.allSatisfy { $0.username == f.person.username })
            try expectEqual(
                mine.first { $0.administrator.id == role.id }?.projectName, f.project.name)
            try expectEqual(
                mine.first { $0.administrator.id == everywhere.id }?.projectName, nil)
        },
        ConformanceCase("roles go with the person, and with the project") { f in
            let neighbour = try await StoreFixture(f.store)
            _ = try await f.store.administrators.assign(
                f.makeAdministrator(.support, in: neighbour.project.id))
            try await f.store.projects.remove(project: neighbour.project.id)
            try expectEqual(await f.store.administrators.administration(of: f.person.id), [])
            _ = try await f.store.administrators.assign(f.makeAdministrator(.support))
            try await f.store.people.remove(person: f.person.id)
            try expectEqual(await f.store.administrators.administration(of: f.person.id), [])
        },
    ]
}

extension StoreFixture {
    func makeAdministrator(
        _ role: Administrator.Role, in project: Identifier<Project>? = nil
    ) -> Administrator {
        Administrator(
            id: identifier(), person: person.id, project: project, role: role, createdAt: now)
    }

    /// Removes the people who are owners: only so can the last one go. Cases share a store.
    func dismissOwners() async throws {
        var last: Identifier<Administrator>?
        repeat {
            let page = try await store.administrators.administrators(after: last, limit: 100)
            for listed in page where listed.administrator.role == .owner {
                try await store.people.remove(person: listed.administrator.person)
            }
            last = page.last?.administrator.id
        } while last != nil
    }
}
