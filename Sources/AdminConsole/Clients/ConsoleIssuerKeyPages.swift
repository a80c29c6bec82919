// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import JOSE
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
                let keys = try await console.ask(.listIssuerKeys).json?["items"]?.array ?? []
                guard let key = keys.first(where: { $0["id"]?.string == id }) else {
                    return .failure(ConsoleRefusal(answer: .unknown("issuer_key")))
                }
                return .success(
                    ConsoleRemoval.Target(
                        word: key["kid"]?.string ?? "", page: console.path("issuer-keys"),
                        list: console.path("issuer-keys"), document: key))
            })
        return [
            frame.page(Self.path, .seeIssuerKeys) { try await list($0) },
            frame.form(Self.path + "/create", .changeIssuerKeys, isGrave: true) {
                try await create($0, $1)
            },
        ] + removal.routes(frame)
    }

    private func list(
        _ console: ConsoleContext, refusal: AdminResponse? = nil, typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let mayChange = console.may(.changeIssuerKeys)
        let list = ConsoleList(
            operation: .listIssuerKeys, address: console.path("issuer-keys"),
            columns: ["consoleIssuer", "consoleKeyID", "consoleAlgorithm", "consoleOwner"]
                .map { console.text($0) } + [""],
            empty: console.text("consoleIssuerKeysNone"))
        let outcome = try await list.read(console) { key in
            [
                ConsoleCell(key["issuer"]?.string ?? "", hint: key["name"]?.string ?? ""),
                ConsoleCell(key["kid"]?.string ?? "", isCode: true),
                ConsoleCell(key["alg"]?.string ?? "", isCode: true),
                ConsoleCell(key["owner"]?.string ?? ""),
                mayChange
                    ? ConsoleCell(
                        console.text("consoleRemoveLink"),
                        href: console.path("issuer-keys", key["id"]?.string ?? "", "remove"))
                    : ConsoleCell(""),
            ]
        }
        guard case .table(let table) = outcome else {
            return console.complain(outcome.refusal, part: "issuer-keys")
        }
        return console.render(
            console.text("consolePart.issuer-keys"), lead: console.text("consoleIssuerKeysLead"),
            part: "issuer-keys",
            sections: [ConsoleSection(table: table)]
                + (mayChange ? [newKey(console, typed)] : []), refusal: refusal)
    }

    private func newKey(_ console: ConsoleContext, _ typed: FormParameters?) -> ConsoleSection {
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
                    ])
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
        guard answer.json != nil else {
            return try await list(console, refusal: answer, typed: form)
        }
        return console.redirect(console.path("issuer-keys"), done: "saved")
    }
}
