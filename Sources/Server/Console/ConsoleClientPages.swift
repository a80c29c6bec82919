// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import JOSE
import Primitives
import Storage

/// Relying parties and services of a project.
struct ConsoleClientPages: Sendable {
    private let frame: ConsoleFrame

    init(_ frame: ConsoleFrame) { self.frame = frame }

    private static let path = ConsoleFrame.project + "/clients"

    var routes: [Route] {
        let removal = ConsoleRemoval(
            pattern: Self.path + "/{client}/remove", action: .removeClients, part: "clients",
            name: "client",
            find: { console in
                let answer = try await console.ask("showClient", Self.names(console))
                guard let id = answer.json?["client_id"]?.string else {
                    return .failure(ConsoleRefusal(answer: answer))
                }
                return .success(
                    ConsoleRemoval.Target(
                        word: id, page: console.path("clients", id), list: console.path("clients")))
            }, act: { try await $0.ask("removeClient", Self.names($0)) })
        return [
            frame.page(Self.path, .seeClients) { try await list($0) },
            frame.page(Self.path + "/{client}", .seeClients) { try await show($0) },
            frame.form(Self.path + "/create", .changeClients, isGrave: true) {
                try await create($0, $1)
            },
            frame.form(Self.path + "/{client}/change", .changeClients) { try await change($0, $1) },
            frame.form(Self.path + "/{client}/disable", .changeClients) { console, _ in
                try await put(console, Self.disabled(true), done: "disabled")
            },
            frame.form(Self.path + "/{client}/enable", .changeClients) { console, _ in
                try await put(console, Self.disabled(false), done: "enabled")
            },
        ] + removal.routes(frame)
    }

    private static func names(_ console: ConsoleVisit) -> [String: String] {
        ["client": console[parameter: "client"]]
    }

    private static func disabled(_ isDisabled: Bool) -> JSONObject {
        JSONObject([JSONObject.Member(name: "disabled", value: .bool(isDisabled))])
    }

    private static func state(_ console: ConsoleVisit, _ client: JSONValue) -> ConsoleCell {
        let isDisabled = client["disabled"]?.bool == true
        return ConsoleCell(
            console.text(isDisabled ? "consoleDisabled" : "consoleActive"),
            tone: isDisabled ? .bad : .good)
    }

    private func list(
        _ console: ConsoleVisit, refusal: AdminAnswer? = nil, typed: Form? = nil
    ) async throws -> ServerResponse {
        let list = ConsoleList(
            operation: "listClients", address: console.path("clients"),
            columns: ["consoleClient", "consoleAuthMethod", "consoleState", "consoleMade"]
                .map { console.text($0) },
            empty: console.text("consoleClientsNone"))
        let outcome = try await list.read(console) { client in
            let id = client["client_id"]?.string ?? ""
            return [
                ConsoleCell(
                    client["client_name"]?.string ?? id, hint: id,
                    href: console.path("clients", id)),
                ConsoleCell(client["token_endpoint_auth_method"]?.string ?? "", isCode: true),
                Self.state(console, client),
                ConsoleCell(console.when(client["created_at"])),
            ]
        }
        switch outcome {
        case .refused(let answer): return console.complain(answer, part: "clients")
        case .table(let table):
            return console.render(
                console.text("consolePart.clients"), lead: console.text("consoleClientsLead"),
                part: "clients",
                sections: [ConsoleSection(table: table)]
                    + (console.may(.changeClients) ? [newClient(console, typed)] : []),
                refusal: refusal)
        }
    }

    private func newClient(_ console: ConsoleVisit, _ typed: Form?) -> ConsoleSection {
        let methods = ["client_secret_basic", "client_secret_post", "none"].map {
            (value: $0, label: console.text("consoleAuthMethod.\($0)"))
        }
        return ConsoleSection(
            title: console.text("consoleClientNew"), hint: console.text("consoleClientNewHint"),
            forms: [
                ConsoleForm(
                    "create", to: console.path("clients", "create"),
                    button: console.text("consoleClientCreate"),
                    inputs: [
                        ConsoleInput(
                            "client_id", "client_id", value: typed?["client_id"] ?? "",
                            isRequired: true),
                        ConsoleInput(
                            "client_name", console.text("consoleName"),
                            value: typed?["client_name"] ?? ""),
                        ConsoleInput(
                            "token_endpoint_auth_method", console.text("consoleAuthMethod"),
                            .choice(methods), value: typed?["token_endpoint_auth_method"] ?? ""),
                        ConsoleInput(
                            "redirect_uris", console.text("consoleRedirectURIs"), .area,
                            value: typed?["redirect_uris"] ?? "",
                            hint: console.text("consoleOnePerLine"), limit: 8192),
                    ])
            ])
    }

    private func show(
        _ console: ConsoleVisit, refusal: AdminAnswer? = nil
    ) async throws -> ServerResponse {
        let answer = try await console.ask("showClient", Self.names(console))
        guard let client = answer.json else { return console.complain(answer, part: "clients") }
        var sections = [facts(console, client)]
        if console.may(.changeClients) {
            sections += [change(console, client), actions(console, client)]
        }
        let id = client["client_id"]?.string ?? ""
        return console.render(
            client["client_name"]?.string ?? id, lead: id, part: "clients", sections: sections,
            up: ConsoleLink(
                text: console.text("consolePart.clients"), href: console.path("clients")),
            refusal: refusal)
    }

    /// Every member of the client's document that is not a secret, under its RFC 7591 name.
    private func facts(_ console: ConsoleVisit, _ client: JSONValue) -> ConsoleSection {
        var facts = [ConsoleFact(console.text("consoleState"), Self.state(console, client))]
        for member in client.object?.members ?? []
        where !["disabled", "created_at", "client_name"].contains(member.name) {
            let text =
                member.value.strings?.joined(separator: " · ") ?? member.value.string
                ?? member.value.text
            facts.append(ConsoleFact(member.name, ConsoleCell(text, isCode: true)))
        }
        facts.append(
            ConsoleFact(
                console.text("consoleMade"), ConsoleCell(console.when(client["created_at"]))))
        return ConsoleSection(facts: facts)
    }

    private func change(_ console: ConsoleVisit, _ client: JSONValue) -> ConsoleSection {
        let id = client["client_id"]?.string ?? ""
        func lines(_ name: String) -> String {
            (client[name]?.strings ?? []).joined(separator: "\n")
        }
        return ConsoleSection(
            title: console.text("consoleClientChange"),
            forms: [
                ConsoleForm(
                    "change", to: console.path("clients", id, "change"),
                    button: console.text("save"),
                    inputs: [
                        ConsoleInput(
                            "client_name", console.text("consoleName"),
                            value: client["client_name"]?.string ?? ""),
                        ConsoleInput("scope", "scope", value: client["scope"]?.string ?? ""),
                        ConsoleInput(
                            "redirect_uris", console.text("consoleRedirectURIs"), .area,
                            value: lines("redirect_uris"),
                            hint: console.text("consoleOnePerLine"), limit: 8192),
                        ConsoleInput(
                            "post_logout_redirect_uris", console.text("consoleLogoutURIs"), .area,
                            value: lines("post_logout_redirect_uris"),
                            hint: console.text("consoleOnePerLine"), limit: 8192),
                    ])
            ])
    }

    private func actions(_ console: ConsoleVisit, _ client: JSONValue) -> ConsoleSection {
        let id = client["client_id"]?.string ?? ""
        let act = client["disabled"]?.bool == true ? "enable" : "disable"
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
    private func create(_ console: ConsoleVisit, _ form: Form) async throws -> ServerResponse {
        let id = (form["client_id"] ?? "").trimmed()
        let method = form["token_endpoint_auth_method"] ?? "none"
        let isKnown = try await console.ask("showClient", ["client": id]).json != nil
        guard !isKnown else {
            return try await list(console, refusal: .conflict("client_exists"), typed: form)
        }
        let secret = method == "none" ? nil : frame.pages.provider.newSecret()
        var body = JSONObject()
        let name = (form["client_name"] ?? "").trimmed()
        if !name.isEmpty { body["client_name"] = .string(name) }
        body["token_endpoint_auth_method"] = .string(method)
        body["client_secret"] = secret.map(JSONValue.string)
        body["redirect_uris"] = Self.lines(form["redirect_uris"])
        let answer = try await console.ask(
            "putClient", ["client": id], body: .object(body))
        guard answer.json != nil else {
            return try await list(console, refusal: answer, typed: form)
        }
        guard let secret else {
            return console.redirect(console.path("clients", id), done: "clientCreated")
        }
        return console.render(
            id, part: "clients",
            sections: [
                ConsoleSection(
                    title: console.text("consoleSecretOnce"),
                    hint: console.text("consoleSecretOnceHint"),
                    secret: ConsoleSecret(label: "client_secret", text: secret),
                    links: [
                        ConsoleLink(
                            text: console.text("consoleSecretKept"),
                            href: console.path("clients", id))
                    ])
            ])
    }

    private func change(_ console: ConsoleVisit, _ form: Form) async throws -> ServerResponse {
        var body = JSONObject()
        let name = (form["client_name"] ?? "").trimmed()
        body["client_name"] = name.isEmpty ? .null : .string(name)
        // Every client has a scope: an emptied field leaves the one there is.
        let scope = (form["scope"] ?? "").trimmed()
        if !scope.isEmpty { body["scope"] = .string(scope) }
        for name in ["redirect_uris", "post_logout_redirect_uris"] {
            body[name] = Self.lines(form[name])
        }
        return try await put(console, body, done: "saved")
    }

    private static func lines(_ typed: String?) -> JSONValue {
        let lines = (typed ?? "").split(whereSeparator: \.isNewline)
            .map { String($0).trimmed() }.filter { !$0.isEmpty }
        return .array(lines.map(JSONValue.string))
    }

    /// Changes what `changes` names. The Admin API takes a client whole (what is absent goes back to
    /// its default), so the rest is sent as it is; secrets stay when none is sent.
    private func put(
        _ console: ConsoleVisit, _ changes: JSONObject, done: String
    ) async throws -> ServerResponse {
        let known = try await console.ask("showClient", Self.names(console))
        guard var client = known.json?.object else {
            return console.complain(known, part: "clients")
        }
        client["created_at"] = nil
        for change in changes.members { client[change.name] = change.value }
        let answer = try await console.ask(
            "putClient", Self.names(console), body: .object(client))
        guard answer.json != nil else { return try await show(console, refusal: answer) }
        return console.redirect(
            console.path("clients", console[parameter: "client"]), done: done)
    }
}
