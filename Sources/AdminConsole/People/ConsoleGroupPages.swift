// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import Storage

/// The groups of a project, and who is in one of them.
struct ConsoleGroupPages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let part = "groups"
    private static let path = ConsoleRouteGuard.project + "/" + part
    /// The page of one group. A group may have any name, also `new`, because the form for a new
    /// group posts to the path of the list.
    private static let group = path + "/{group}"

    var routes: [HTTPRoute] {
        [
            frame.page(Self.path, .seeGroups) { try await list($0) },
            frame.form(Self.path, .changeGroups, hasPage: true) { try await begin($0, $1) },
            frame.page(Self.group, .seeGroups) { try await show($0) },
            frame.form(Self.group + "/add", .changeGroups) {
                try await change($0, $1, .addGroupMember, done: "joined")
            },
            frame.form(Self.group + "/remove", .changeGroups) { try await leave($0, $1) },
        ]
    }

    // MARK: All

    private func list(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let list = ConsoleList(
            operation: .listGroups, address: console.path(Self.part),
            columns: [console.text("consoleName"), console.text("consoleMembers")],
            empty: console.text("consoleGroupsNone")
        ).searched(console)
        let found = try await list.read(
            console, { GroupAdministration($0).list(startingWith: console.search) }
        ) { group in
            [
                ConsoleCell(group.name, href: console.path(Self.part, group.name)),
                ConsoleCell(group.hasMore ? "\(group.members)+" : "\(group.members)"),
            ]
        }
        guard let table = found.value else { return console.refuse(found.refusal, part: Self.part) }
        return console.render(
            console.text("consolePart.groups"), lead: console.text("consoleGroupsLead"),
            part: Self.part,
            sections: [
                ConsoleSection(
                    filters: [list.filter(console, "consoleSearchGroups")], table: table)
            ]
                + (console.may(.changeGroups) ? [newGroup(console, typed)] : []),
            refusal: refusal)
    }

    private func newGroup(_ console: ConsoleContext, _ typed: FormParameters?) -> ConsoleSection {
        let form = ConsoleForm(
            "create", to: console.path(Self.part), button: console.text("consoleGroupCreate"),
            inputs: [
                ConsoleInput(
                    "group", console.text("consoleGroupName"), value: typed?["group"] ?? "",
                    isRequired: true, limit: GroupMembershipChange.maximumNameLength),
                personInput(console, typed),
            ])
        return ConsoleSection(
            title: console.text("consoleGroupNew"), hint: console.text("consoleGroupNewHint"),
            forms: [form])
    }

    private func personInput(_ console: ConsoleContext, _ typed: FormParameters?) -> ConsoleInput {
        ConsoleInput(
            "person", console.text("consoleUserName"), value: typed?["person"] ?? "",
            isRequired: true, limit: 254)
    }

    /// A group begins with its first member.
    private func begin(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let group = (form["group"] ?? "").trimmed()
        let answer = try await ask(console, .addGroupMember, group, form)
        if let refusal = answer.refusal {
            return try await list(console, refusal: refusal, typed: form)
        }
        return console.redirect(console.path(Self.part, group), done: "joined")
    }

    // MARK: One

    private func show(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let group = console[parameter: "group"]
        let list = ConsoleList(
            operation: .listGroupMembers, address: console.path(Self.part, group),
            columns: ["consoleUserName", "consoleEmail", "consoleState"].map { console.text($0) },
            empty: console.text("consoleMembersNone")
        ).searched(console)
        var members: [(value: String, label: String)] = []
        let found = try await list.read(
            console,
            { GroupAdministration($0).members(of: group, startingWith: console.search) }
        ) { person in
            members.append((person.id.description, person.username))
            return [
                ConsolePeoplePages.name(console, person),
                ConsoleCell(person.claims.email ?? ""), ConsolePersonPage.state(console, person),
            ]
        }
        guard let table = found.value else { return console.refuse(found.refusal, part: Self.part) }
        var sections = [
            ConsoleSection(
                filters: [list.filter(console, "consoleSearchMembers")], table: table)
        ]
        if console.may(.changeGroups) {
            sections += changes(console, group, members, typed)
        }
        return console.render(
            group, lead: console.text("consoleMembersLead"), part: Self.part, sections: sections,
            up: console.up(to: Self.part), refusal: refusal)
    }

    /// Who joins is typed; who leaves is one of those on this page.
    private func changes(
        _ console: ConsoleContext, _ group: String, _ members: [(value: String, label: String)],
        _ typed: FormParameters?
    ) -> [ConsoleSection] {
        let add = ConsoleForm(
            "add", to: console.path(Self.part, group, "add"),
            button: console.text("consoleGroupAdd"), inputs: [personInput(console, typed)])
        let remove = ConsoleForm(
            "remove", to: console.path(Self.part, group, "remove"),
            button: console.text("consoleGroupRemove"), weight: .quiet,
            inputs: [ConsoleInput("person", console.text("consoleMember"), .choice(members))])
        let leaving = ConsoleSection(
            title: console.text("consoleGroupLeave"), hint: console.text("consoleGroupUndo"),
            forms: [remove])
        return [ConsoleSection(title: console.text("consoleGroupJoin"), forms: [add])]
            + (members.isEmpty ? [] : [leaving])
    }

    private func change(
        _ console: ConsoleContext, _ form: FormParameters,
        _ operation: AdministrativeOperation, done: String
    ) async throws -> ServerResponse {
        let group = console[parameter: "group"]
        let answer = try await ask(console, operation, group, form)
        if let refusal = answer.refusal {
            return try await show(console, refusal: refusal, typed: form)
        }
        return console.redirect(console.path(Self.part, group), done: done)
    }

    /// Removes a person from the group. A person who was a member can be restored.
    private func leave(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let group = console[parameter: "group"]
        let known = try await console.person((form["person"] ?? "").trimmed())
        var handle: String?
        if let person = known.value?.person, person.claims.groups?.contains(group) == true {
            handle = try await ConsoleRestore.save(
                ConsoleRestore.RemovedResource(
                    operation: .removeGroupMember,
                    parameters: [.group: group, .person: person.id.description],
                    document: JSONObject(), name: person.username,
                    list: console.path(Self.part, group), done: "left"), console)
        }
        var response = try await change(console, form, .removeGroupMember, done: "left")
        if response.status == .seeOther {
            ConsoleRestore.offer(handle, console, in: &response)
        }
        return response
    }

    private func ask(
        _ console: ConsoleContext, _ operation: AdministrativeOperation, _ group: String,
        _ form: FormParameters
    ) async throws -> AdministrativeResult<JSONValue> {
        try await console.ask(
            operation, [.group: group, .person: (form["person"] ?? "").trimmed()])
    }
}
