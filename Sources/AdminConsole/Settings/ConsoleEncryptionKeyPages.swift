// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
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
                let list = console.path(Self.part)
                return try await Self.keys(console).flatMap { keys in
                    let key = keys.first { $0.id.description == id && $0.state == .retiring }
                    guard let key else { return .failure(.unknown("key")) }
                    return .success(ConsoleRemoval.Target(word: Self.name(key), list: list))
                }
            })
        return [
            frame.page(Self.path, .seeEncryptionKeys) { try await list($0) },
            frame.form(Self.path + "/rotate", .changeEncryptionKeys, isGrave: true) { console, _ in
                let answer = try await console.ask(.rotateEncryptionKey)
                if let refusal = answer.refusal { return try await list(console, refusal: refusal) }
                return console.redirect(console.path(Self.part), done: "encryptionRotated")
            },
        ] + retirement.routes(frame)
    }

    private static func keys(
        _ console: ConsoleContext
    ) async throws -> AdministrativeResult<[EncryptionKey]> {
        try await console.read(.listEncryptionKeys) {
            try await EncryptionKeyAdministration($0).all()
        }
    }

    private func list(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil
    ) async throws -> ServerResponse {
        let found = try await Self.keys(console)
        guard let keys = found.value else { return console.refuse(found.refusal, part: Self.part) }
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
    private static func name(_ key: EncryptionKey) -> String {
        let name = EncryptionKeyAdministration.publishedName(of: key)
        return name.isEmpty ? key.id.description : name
    }

    private func row(
        _ console: ConsoleContext, _ key: EncryptionKey, _ mayChange: Bool
    ) -> [ConsoleCell] {
        [
            ConsoleCell(Self.name(key), isCode: true),
            ConsoleCell(
                console.text("consoleKey.\(key.state.rawValue)"),
                tone: key.state == .active ? .good : .plain),
            ConsoleCell(console.when(key.createdAt)),
            console.link(
                "consoleRetireLink", to: console.path(Self.part, key.id.description, "retire"),
                if: mayChange && key.state == .retiring),
        ]
    }
}
