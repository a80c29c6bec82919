// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import ProviderAdministration
import ProviderCore
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
                let list = console.path("keys")
                return try await Self.keys(console).flatMap { keys in
                    guard keys.contains(where: { $0.kid == kid && $0.state == .retiring }) else {
                        return .failure(.unknown("key"))
                    }
                    return .success(ConsoleRemoval.Target(word: kid, list: list))
                }
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
                if let refusal = answer.refusal {
                    return try await list(console, refusal: refusal, typed: form)
                }
                return console.redirect(console.path("keys"), done: "rotated")
            },
        ] + retirement.routes(frame)
    }

    private static func keys(
        _ console: ConsoleContext
    ) async throws -> AdministrativeResult<[SigningKey]> {
        try await console.read(.listKeys) { try await SigningKeyAdministration($0).all() }
    }

    private func list(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let found = try await Self.keys(console)
        guard let keys = found.value else { return console.refuse(found.refusal, part: "keys") }
        let mayChange = console.may(.changeSigningKeys)
        let rows = keys.map { row(console, $0, among: keys, mayChange) }
        let table = ConsoleTable(
            columns: ["consoleKeyID", "consoleAlgorithm", "consoleState", "consoleChanged"]
                .map { console.text($0) } + [""],
            rows: rows, empty: console.text("consoleKeysNone"))
        return console.render(
            console.text("consolePart.keys"), lead: console.text("consoleKeysLead"), part: "keys",
            sections: [ConsoleSection(table: table)]
                + (mayChange ? [rotation(console, typed)] : []),
            refusal: refusal)
    }

    private func row(
        _ console: ConsoleContext, _ key: SigningKey, among keys: [SigningKey], _ mayChange: Bool
    ) -> [ConsoleCell] {
        let start = key.state == .next ? keys.publicationEnd(of: key) : nil
        return [
            ConsoleCell(key.kid, isCode: true),
            ConsoleCell(key.algorithm, isCode: true),
            ConsoleCell(
                console.text("consoleKey.\(key.state.rawValue)"),
                hint: console.canSign(from: start),
                tone: key.state == .active ? .good : .plain),
            ConsoleCell(console.when(key.changedAt)),
            console.link(
                "consoleRetireLink", to: console.path("keys", key.kid, "retire"),
                if: mayChange && key.state == .retiring),
        ]
    }

    private func rotation(_ console: ConsoleContext, _ typed: FormParameters?) -> ConsoleSection {
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
                            value: typed?["algorithm"] ?? "ES256"),
                        ConsoleInput(
                            "at_once", console.text("consoleRotateAtOnce"), .flag,
                            value: typed?["at_once"] ?? "",
                            hint: console.text("consoleRotateAtOnceHint")),
                    ])
            ])
    }
}
