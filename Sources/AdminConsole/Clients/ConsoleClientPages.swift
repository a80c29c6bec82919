// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage
import WebPages

/// Relying parties and services of a project.
struct ConsoleClientPages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = ConsoleRouteGuard.project + "/clients"

    var routes: [HTTPRoute] {
        let removal = ConsoleRemoval(
            pattern: Self.path + "/{client}/remove", action: .removeClients, part: "clients",
            name: "client", operation: .removeClient,
            find: { console in
                try await client(console).map { client in
                    ConsoleRemoval.Target(
                        word: client.clientID, page: console.path("clients", client.clientID),
                        list: console.path("clients"))
                }
            })
        return [
            frame.page(Self.path, .seeClients) { try await list($0) },
            frame.page(Self.path + "/{client}", .seeClients) { try await show($0) },
            frame.form(Self.path + "/create", .changeClients, isGrave: true) {
                try await create($0, $1)
            },
            frame.form(Self.path + "/{client}/change", .changeClients, isGrave: true) {
                try await forms.change($0, $1)
            },
            frame.form(Self.path + "/{client}/undo", .changeClients, isGrave: true) { console, _ in
                try await forms.undo(console)
            },
            frame.form(Self.path + "/{client}/disable", .changeClients) { console, _ in
                try await set(console, Self.disabled(true), done: "disabled")
            },
            frame.form(Self.path + "/{client}/enable", .changeClients) { console, _ in
                try await set(console, Self.disabled(false), done: "enabled")
            },
        ] + removal.routes(frame)
    }

    private static func disabled(_ isDisabled: Bool) -> JSONObject {
        JSONObject([JSONObject.Member(name: "disabled", value: .bool(isDisabled))])
    }

    private func client(_ console: ConsoleContext) async throws -> AdministrativeResult<Client> {
        try await console.call(.showClient) {
            let client = try await ClientAdministration($0).client(console[parameter: "client"])
            return client.map { .success($0) } ?? .failure(.unknown("client"))
        }
    }

    private func list(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let list = ConsoleList(
            operation: .listClients, address: console.path("clients"),
            columns: ["consoleClient", "consoleAuthMethod", "consoleState", "consoleMade"]
                .map { console.text($0) },
            empty: console.text("consoleClientsNone")
        ).searched(console)
        let found = try await list.read(
            console, { ClientAdministration($0).list(startingWith: console.search) }
        ) { client in
            let id = client.clientID
            return [
                ConsoleCell(
                    client.metadata.clientName ?? id, hint: id, href: console.path("clients", id)),
                ConsoleCell(client.metadata.tokenEndpointAuthMethod, isCode: true),
                console.state(!client.disabled),
                ConsoleCell(console.when(client.createdAt)),
            ]
        }
        guard let table = found.value else { return console.refuse(found.refusal, part: "clients") }
        return console.render(
            console.text("consolePart.clients"), lead: console.text("consoleClientsLead"),
            part: "clients",
            sections: [
                ConsoleSection(
                    filters: [list.filter(console, "consoleSearchClients")], table: table)
            ]
                + (console.may(.changeClients) ? [newClient(console, refusal, typed)] : []),
            refusal: refusal)
    }

    private func newClient(
        _ console: ConsoleContext, _ refusal: AdministrativeRefusal?, _ typed: FormParameters?
    ) -> ConsoleSection {
        ConsoleSection(
            title: console.text("consoleClientNew"), hint: console.text("consoleClientNewHint"),
            forms: [
                ConsoleForm(
                    "create", to: console.path("clients", "create"),
                    button: console.text("consoleClientCreate"),
                    inputs: ConsoleClientFields.first.map {
                        $0.input(console, [:], typed: typed, refusal: refusal)
                    })
            ])
    }

    private func show(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let found = try await self.client(console)
        guard let client = found.value else {
            return console.refuse(found.refusal, part: "clients")
        }
        var sections = [facts(console, client, empty: try await emptyGroups(console))]
        let configuration = ConsoleAppConfiguration(
            issuer: console.tenant?.issuer ?? "", client: client)
        sections += [configuration.section(console)].compactMap { $0 }
        if console.may(.changeClients) {
            let forms = details(console, client).forms(console, typed: typed, refusal: refusal)
            sections += [
                ConsoleSection(title: console.text("consoleClientChange"), forms: forms),
                actions(console, client),
            ]
        }
        let id = client.clientID
        return console.render(
            client.metadata.clientName ?? id, lead: id, part: "clients", sections: sections,
            up: console.up(to: "clients"), refusal: refusal)
    }

    /// All that is known of it, for those who may not change it: the others see it in the form.
    ///
    /// - Parameter empty: groups that its rules name, and that no person is in.
    private func facts(
        _ console: ConsoleContext, _ client: Client, empty: [String]
    ) -> ConsoleSection {
        var facts = [ConsoleFact(console.text("consoleState"), console.state(!client.disabled))]
        if !empty.isEmpty {
            facts.append(
                ConsoleFact(
                    console.text("consoleGroupsEmpty"),
                    ConsoleCell(empty.joined(separator: " · "), tone: .bad)))
        }
        if !console.may(.changeClients) {
            let shown = ClientAdministration.json(client)
            facts += ConsoleClientFields.all.filter { shown[$0.name] != nil }
                .compactMap { $0.fact(console, shown) }
        }
        facts.append(
            ConsoleFact(
                console.text("consoleMade"), ConsoleCell(console.when(client.createdAt))))
        return ConsoleSection(facts: facts)
    }

    private func emptyGroups(_ console: ConsoleContext) async throws -> [String] {
        guard let scope = console.scope else { return [] }
        return try await ClientAdministration(scope).emptyGroups(of: console[parameter: "client"])
    }

    private func details(_ console: ConsoleContext, _ client: Client) -> ConsoleDetails {
        ConsoleDetails(
            thing: "client/\(client.clientID)", fields: ConsoleClientFields.all,
            address: console.path("clients", client.clientID),
            shown: ClientAdministration.json(client))
    }

    private func actions(_ console: ConsoleContext, _ client: Client) -> ConsoleSection {
        let id = client.clientID
        let act = client.disabled ? "enable" : "disable"
        var section = ConsoleSection(
            title: console.text("consoleActions"),
            forms: [
                ConsoleForm(
                    act, to: console.path("clients", id, act),
                    button: console.text("consoleClient.\(act)"), weight: .quiet,
                    hint: console.text("consoleClient.\(act)Hint"))
            ])
        if console.may(.removeClients) {
            section.links = [
                ConsoleLink(
                    text: console.text("consoleClientRemove"),
                    href: console.path("clients", id, "remove"), isDanger: true, action: "remove")
            ]
        }
        return section
    }

    /// New ones only, with a secret of our making that is in this answer and nowhere else.
    private func create(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let id = (form["client_id"] ?? "").trimmed()
        let method = form["token_endpoint_auth_method"] ?? "none"
        let secret = method == "none" ? nil : frame.pages.provider.newSecret()
        var body = JSONObject()
        for field in ConsoleClientFields.first where field.name != "client_id" {
            body[field.name] = field.value(in: form, isWhole: true)
        }
        body["scope"] = "openid profile email"
        body["token_endpoint_auth_method"] = .string(method)
        body["client_secret"] = secret.map(JSONValue.string)
        let answer = try await console.ask(
            .putClient, [.client: id], body: .object(body), onlyNew: true)
        if let refusal = answer.refusal {
            return try await list(
                console, refusal: refusal.unlessExists("client_exists"), typed: form)
        }
        guard let secret else {
            return console.redirect(console.path("clients", id), done: "clientCreated")
        }
        return console.render(
            id, ConsoleSecret(label: "client_secret", text: secret), part: "clients",
            back: console.path("clients", id))
    }

    private var forms: ConsoleDetailForms {
        ConsoleDetailForms(
            part: "clients",
            read: { console in try await client(console).map { details(console, $0) } },
            put: { try await put($0, $1, to: $2) },
            show: { try await show($0, refusal: $1, typed: $2) })
    }

    private func set(
        _ console: ConsoleContext, _ changes: JSONObject, done: String
    ) async throws -> ServerResponse {
        let found = try await self.client(console)
        guard let client = found.value else {
            return console.refuse(found.refusal, part: "clients")
        }
        let answer = try await put(console, changes, to: ClientAdministration.json(client))
        if let refusal = answer.refusal { return try await show(console, refusal: refusal) }
        return console.redirect(page(console), done: done)
    }

    private func page(_ console: ConsoleContext) -> String {
        console.path("clients", console[parameter: "client"])
    }

    /// The Admin API takes a client whole (what is absent goes back to its default), so the rest is
    /// sent as it is; secrets stay when none is sent.
    private func put(
        _ console: ConsoleContext, _ changes: JSONObject, to client: JSONValue
    ) async throws -> AdministrativeResult<JSONValue> {
        var body = client.object ?? JSONObject()
        body["created_at"] = nil
        return try await console.ask(
            .putClient, [.client: console[parameter: "client"]],
            body: .object(body.merging(changes)),
            onlyOver: client)
    }
}
