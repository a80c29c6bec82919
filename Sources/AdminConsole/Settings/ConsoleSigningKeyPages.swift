// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import JOSE
import ProviderAdministration
import Storage

/// What signs the project's tokens.
struct ConsoleSigningKeyPages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = ConsoleRouteGuard.project + "/keys"

    var routes: [HTTPRoute] {
        let retirement = ConsoleRemoval(
            pattern: Self.path + "/{kid}/retire", action: .changeSigningKeys, part: "keys",
            name: "signingKey", operation: .retireKey,
            find: { console in
                let kid = console[parameter: "kid"]
                let keys = try await console.ask(.listKeys).json?["items"]?.array ?? []
                let key = keys.first { $0["kid"]?.string == kid }
                guard key?["state"] == "retiring" else {
                    return .failure(ConsoleRefusal(answer: .unknown("key")))
                }
                let list = console.path("keys")
                return .success(ConsoleRemoval.Target(word: kid, page: list, list: list))
            })
        return [
            frame.page(Self.path, .seeSigningKeys) { try await list($0) },
            frame.form(Self.path + "/rotate", .changeSigningKeys, isGrave: true) { console, form in
                let answer = try await console.ask(
                    .rotateKey,
                    body: [
                        "algorithm": .string(form["algorithm"] ?? ""),
                        "at_once": .bool(form["at_once"] == "1"),
                    ])
                guard answer.json != nil else { return try await list(console, refusal: answer) }
                return console.redirect(console.path("keys"), done: "rotated")
            },
        ] + retirement.routes(frame)
    }

    private func list(
        _ console: ConsoleContext, refusal: AdminResponse? = nil
    ) async throws -> ServerResponse {
        let answer = try await console.ask(.listKeys)
        guard let keys = answer.json?["items"]?.array else {
            return console.complain(answer, part: "keys")
        }
        let mayChange = console.may(.changeSigningKeys)
        let rows = keys.map { row(console, $0, mayChange) }
        let table = ConsoleTable(
            columns: ["consoleKeyID", "consoleAlgorithm", "consoleState", "consoleChanged"]
                .map { console.text($0) } + [""],
            rows: rows, empty: console.text("consoleKeysNone"))
        return console.render(
            console.text("consolePart.keys"), lead: console.text("consoleKeysLead"), part: "keys",
            sections: [ConsoleSection(table: table)] + (mayChange ? [rotation(console)] : []),
            refusal: refusal)
    }

    private func row(
        _ console: ConsoleContext, _ key: JSONValue, _ mayChange: Bool
    ) -> [ConsoleCell] {
        let (kid, state) = (key["kid"]?.string ?? "", key["state"]?.string ?? "")
        return [
            ConsoleCell(kid, isCode: true),
            ConsoleCell(key["algorithm"]?.string ?? "", isCode: true),
            ConsoleCell(
                console.text("consoleKey.\(state)"),
                hint: console.canSign(from: key["can_sign_from"]),
                tone: state == "active" ? .good : .plain),
            ConsoleCell(console.when(key["changed_at"])),
            mayChange && state == "retiring"
                ? ConsoleCell(
                    console.text("consoleRetireLink"), href: console.path("keys", kid, "retire"))
                : ConsoleCell(""),
        ]
    }

    private func rotation(_ console: ConsoleContext) -> ConsoleSection {
        let algorithms = ["ES256", "RS256"].map { (value: $0, label: $0) }
        return ConsoleSection(
            title: console.text("consoleRotate"), hint: console.text("consoleRotateHint"),
            forms: [
                ConsoleForm(
                    "rotate", to: console.path("keys", "rotate"),
                    button: console.text("consoleRotate"),
                    inputs: [
                        ConsoleInput(
                            "algorithm", console.text("consoleAlgorithm"), .choice(algorithms),
                            value: "ES256"),
                        ConsoleInput(
                            "at_once", console.text("consoleRotateAtOnce"), .flag,
                            hint: console.text("consoleRotateAtOnceHint")),
                    ])
            ])
    }
}
