// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import ProviderCore
import Storage
import Testing

@Suite struct GroupEndpointTests {
    private let path = "/projects/default/groups"

    private func house(_ people: String...) async throws -> AdminHouse {
        let house = try await AdminHouse()
        for name in people {
            let made = try await house.call(
                .put, "/projects/default/people/\(name)", body: ["groups": ["staff"]])
            #expect(made.status == 201)
        }
        return house
    }

    private func names(_ answer: AdminHouse.Answer, _ key: String) -> [String] {
        answer.body["items"]?.array?.compactMap { $0[key]?.string } ?? []
    }

    @Test("groups are listed with their numbers, and who is in one, page by page")
    func lists() async throws {
        let house = try await house("zoe", "bea", "carl")
        #expect(try await house.call(.put, path + "/a%2Fb%20%C3%A4/members/bea").status == 204)
        let groups = try await house.call(.get, path)
        #expect(names(groups, "name") == ["a/b ä", "staff"])
        #expect(groups.body["items"]?.array?.last?["members"] == 3)
        var found: [String] = []
        var cursor = ""
        repeat {
            let page = try await house.call(.get, path + "/staff/members?limit=2\(cursor)")
            found += names(page, "username")
            cursor = page.body["next"]?.string.map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        #expect(found == ["bea", "carl", "zoe"])
        #expect(names(try await house.call(.get, path + "/nobody/members"), "username").isEmpty)
    }

    @Test("a group of more people than are counted has more members")
    func bound() async throws {
        let house = try await house()
        let store = house.provider.store
        let project = try #require(try await store.projects.project(named: "default"))
        for (numbers, hasMore) in [(1...1000, false), (1001...1001, true)] {
            try await store.addMembers(numbers, of: "all", in: project)
            let all = try await house.call(.get, path).body["items"]?.array?.first
            #expect(all == ["name": "all", "members": 1000, "has_more_members": .bool(hasMore)])
        }
    }

    @Test("joining and leaving are done once, and said in the audit trail once")
    func changes() async throws {
        let house = try await house("bea")
        for _ in 0..<2 {
            #expect(try await house.call(.put, path + "/admins/members/bea").status == 204)
        }
        for _ in 0..<2 {
            #expect(try await house.call(.delete, path + "/staff/members/bea").status == 204)
        }
        #expect(names(try await house.call(.get, path), "name") == ["admins"])
        let events = try await house.call(.get, "/audit?project=default&action=admin.group.")
        #expect(names(events, "action") == ["admin.group.leave", "admin.group.join"])
        #expect(events.body["items"]?.array?.last?["details"]?["group"] == "admins")
    }

    @Test("an unknown person, an unknown project, and an invalid group name are refused")
    func refusals() async throws {
        let house = try await house("bea")
        let long = String(repeating: "n", count: 256)
        for (address, code) in [
            (path + "/staff/members/ghost", "unknown_person"),
            ("/projects/none/groups/staff/members/bea", "unknown_person"),
            (path + "/\(long)/members/bea", "invalid_group"),
            (path + "/a%0Ab/members/bea", "invalid_group"),
        ] {
            let answer = try await house.call(.put, address)
            #expect(answer.code == code, "\(address)")
        }
        #expect(
            try await house.call(.delete, path + "/staff/members/ghost").code == "unknown_person")
        #expect(try await house.call(.get, "/projects/none/groups").code == "unknown_project")
        #expect(
            try await house.call(.get, "/projects/none/groups/staff/members").code
                == "unknown_project")
        #expect(names(try await house.call(.get, path), "name") == ["staff"])
    }

    @Test("a person with the maximum number of groups is not added to another")
    func full() async throws {
        let house = try await house()
        let groups = (0..<GroupMembershipChange.maximumGroups).map { JSONValue.string("g\($0)") }
        _ = try await house.call(
            .put, "/projects/default/people/bea", body: ["groups": .array(groups)])
        let answer = try await house.call(.put, path + "/more/members/bea")
        #expect(answer.status == 409 && answer.code == "too_many_groups")
    }

    @Test("a cursor of one group is of no use in another, nor is one of the list of groups")
    func cursors() async throws {
        let house = try await house("bea", "carl")
        _ = try await house.call(.put, path + "/admins/members/bea")
        for list in ["/staff/members", ""] {
            let page = try await house.call(.get, path + list + "?limit=1")
            let cursor = try #require(page.body["next"]?.string)
            let other = try await house.call(.get, path + "/admins/members?cursor=\(cursor)")
            #expect(other.code == "invalid_cursor", "\(list)")
        }
    }
}
