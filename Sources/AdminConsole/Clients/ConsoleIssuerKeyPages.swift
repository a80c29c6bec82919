// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import Storage

/// Pages for the keys of issuers whose tokens are accepted.
struct ConsoleIssuerKeyPages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = ConsoleRouteGuard.project + "/issuer-keys"

    var routes: [HTTPRoute] {
        let removal = ConsoleRemoval(
            pattern: Self.path + "/{key}/remove", action: .changeIssuerKeys, part: "issuer-keys",
            name: "issuerKey", operation: .removeIssuerKey,
            find: { console in
                let id = console[parameter: "key"]
                let list = console.path("issuer-keys")
                return try await console.call(.listIssuerKeys) {
                    let keys = try await IssuerKeyAdministration($0).list()
                    guard let key = try await keys.first(where: { $0.id.description == id }) else {
                        return .failure(.unknown("issuer_key"))
                    }
                    return .success(
                        ConsoleRemoval.Target(
                            word: key.kid, list: list, document: StateExport.object(key)))
                }
            })
        return [
            frame.page(Self.path, .seeIssuerKeys) { try await list($0) },
            frame.form(Self.path + "/create", .changeIssuerKeys, isGrave: true) {
                try await create($0, $1)
            },
        ] + removal.routes(frame)
    }

    private func list(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let mayChange = console.may(.changeIssuerKeys)
        let list = ConsoleList(
            operation: .listIssuerKeys, address: console.path("issuer-keys"),
            columns: ["consoleIssuer", "consoleKeyID", "consoleAlgorithm", "consoleOwner"]
                .map { console.text($0) } + [""],
            empty: console.text("consoleIssuerKeysNone"))
        let found = try await list.read(
            console, { try await IssuerKeyAdministration($0).list() }
        ) { key in
            [
                ConsoleCell(key.issuer, hint: key.settings.name),
                ConsoleCell(key.kid, isCode: true),
                ConsoleCell(key.algorithm, isCode: true),
                ConsoleCell(key.settings.owner),
                console.link(
                    "consoleRemoveLink",
                    to: console.path("issuer-keys", key.id.description, "remove"), if: mayChange),
            ]
        }
        guard let table = found.value else {
            return console.refuse(found.refusal, part: "issuer-keys")
        }
        return console.render(
            console.text("consolePart.issuer-keys"), lead: console.text("consoleIssuerKeysLead"),
            part: "issuer-keys",
            sections: [ConsoleSection(table: table)]
                + (mayChange ? [newKey(console, refusal, typed)] : []), refusal: refusal)
    }

    private func newKey(
        _ console: ConsoleContext, _ refusal: AdministrativeRefusal?, _ typed: FormParameters?
    ) -> ConsoleSection {
        let algorithms = ["RS256", "ES256", "EdDSA", "PS256"].map { (value: $0, label: $0) }
        func input(_ name: String, _ label: String, limit: Int = 256) -> ConsoleInput {
            ConsoleInput(name, label, value: typed?[name] ?? "", isRequired: true, limit: limit)
        }
        return ConsoleSection(
            title: console.text("consoleIssuerKeyNew"),
            forms: [
                ConsoleForm(
                    "create", to: console.path("issuer-keys", "create"),
                    button: console.text("consoleIssuerKeyCreate"),
                    inputs: [
                        input("issuer", console.text("consoleIssuer")),
                        input("kid", console.text("consoleKeyID")),
                        ConsoleInput(
                            "alg", console.text("consoleAlgorithm"), .choice(algorithms),
                            value: typed?["alg"] ?? "RS256"),
                        ConsoleInput(
                            "public_key", console.text("consolePublicKey"), .area,
                            value: typed?["public_key"] ?? "",
                            hint: console.text("consolePublicKeyHint"), isRequired: true,
                            limit: 8192),
                    ].map { $0.marked(by: refusal, console) })
            ])
    }

    private func create(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let typed = (form["public_key"] ?? "").trimmed()
        let key: JSONValue
        if typed.hasPrefix("{") {
            guard let jwk = ConsoleJSON.object(typed) else {
                return try await list(console, refusal: .conflict("invalid_json"), typed: form)
            }
            key = jwk
        } else {
            key = .string(typed)
        }
        let answer = try await console.ask(
            .putIssuerKey,
            body: [
                "issuer": .string((form["issuer"] ?? "").trimmed()),
                "kid": .string((form["kid"] ?? "").trimmed()),
                "alg": .string(form["alg"] ?? ""), "public_key": key,
                "owner": .string(console.authority.person.username),
            ])
        if let refusal = answer.refusal {
            return try await list(console, refusal: refusal, typed: form)
        }
        return console.redirect(console.path("issuer-keys"), done: "saved")
    }
}
