// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import JOSE
import ProviderAdministration
import Storage

/// What machines encrypt passwords to (Platform SSO).
struct ConsoleEncryptionKeyPages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let part = "encryption-keys"
    private static let path = ConsoleRouteGuard.project + "/" + part

    var routes: [HTTPRoute] {
        let retirement = ConsoleRemoval(
            pattern: Self.path + "/{key}/retire", action: .changeEncryptionKeys, part: Self.part,
            name: "encryptionKey", operation: .retireEncryptionKey,
            find: { console in
                let id = console[parameter: "key"]
                let keys =
                    try await console.ask(.listEncryptionKeys).json?["items"]?.array ?? []
                let key = keys.first { $0["id"]?.string == id }
                guard let key, key["state"] == "retiring" else {
                    return .failure(ConsoleRefusal(answer: .unknown("key")))
                }
                let list = console.path(Self.part)
                return .success(
                    ConsoleRemoval.Target(
                        word: Self.name(key), page: list, list: list))
            })
        return [
            frame.page(Self.path, .seeEncryptionKeys) { try await list($0) },
            frame.form(Self.path + "/rotate", .changeEncryptionKeys, isGrave: true) { console, _ in
                let answer = try await console.ask(.rotateEncryptionKey)
                guard answer.json != nil else { return try await list(console, refusal: answer) }
                return console.redirect(console.path(Self.part), done: "encryptionRotated")
            },
        ] + retirement.routes(frame)
    }

    private func list(
        _ console: ConsoleContext, refusal: AdminResponse? = nil
    ) async throws -> ServerResponse {
        let answer = try await console.ask(.listEncryptionKeys)
        guard let keys = answer.json?["items"]?.array else {
            return console.complain(answer, part: Self.part)
        }
        let mayChange = console.may(.changeEncryptionKeys)
        let table = ConsoleTable(
            columns: ["consoleKeyID", "consoleState", "consoleMade"].map { console.text($0) }
                + [""],
            rows: keys.map { row(console, $0, mayChange) }, empty: console.text("consoleKeysNone"))
        let rotation = ConsoleSection(
            title: console.text("consoleRotate"),
            hint: console.text("consoleEncryptionRotateHint"),
            forms: [
                ConsoleForm(
                    "rotate", to: console.path(Self.part, "rotate"),
                    button: console.text("consoleRotate"))
            ])
        return console.render(
            console.text("consolePart.encryption-keys"),
            lead: console.text("consoleLead.encryption-keys"), part: Self.part,
            sections: [ConsoleSection(table: table)] + (mayChange ? [rotation] : []),
            refusal: refusal)
    }

    /// What machines call it; its identifier here when it was published without a name.
    private static func name(_ key: JSONValue) -> String {
        let names = ["kid", "id"].compactMap { key[$0]?.string }
        return names.first { !$0.isEmpty } ?? ""
    }

    private func row(
        _ console: ConsoleContext, _ key: JSONValue, _ mayChange: Bool
    ) -> [ConsoleCell] {
        let (id, state) = (key["id"]?.string ?? "", key["state"]?.string ?? "")
        return [
            ConsoleCell(Self.name(key), isCode: true),
            ConsoleCell(
                console.text("consoleKey.\(state)"), tone: state == "active" ? .good : .plain),
            ConsoleCell(console.when(key["created_at"])),
            mayChange && state == "retiring"
                ? ConsoleCell(
                    console.text("consoleRetireLink"),
                    href: console.path(Self.part, id, "retire"))
                : ConsoleCell(""),
        ]
    }
}
