// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// Test registration keys: made, kept as a file once, revoked; and the people made with them.
///
/// A key belongs to the project. Its owner is shown, and revoking it is theirs or an
/// administrator's.
struct ConsoleTestKeyPages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = ConsoleRouteGuard.project + "/test-keys"

    var routes: [HTTPRoute] {
        [
            frame.page(Self.path, .seeTestKeys) { try await list($0) },
            frame.form(Self.path + "/create", .makeTestKeys, isGrave: true) {
                try await create($0, $1)
            },
        ] + revocation.routes(frame) + sweep.routes(frame)
    }

    private var revocation: ConsoleRemoval {
        ConsoleRemoval(
            pattern: Self.path + "/{key}/revoke", action: .makeTestKeys, part: "test-keys",
            name: "testKey", operation: .revokeTestKey,
            find: { console in
                let id = console[parameter: "key"]
                let list = console.path("test-keys")
                return try await console.call(.listTestKeys) {
                    let keys = try await TestKeyAdministration($0).list(startingWith: "")
                    guard let key = try await keys.first(where: { $0.kid == id }) else {
                        return .failure(.unknown("test_key"))
                    }
                    guard Self.mayRevoke(key, console) else { return .failure(Self.othersKey) }
                    let name = key.settings.name
                    return .success(
                        ConsoleRemoval.Target(word: name.isEmpty ? id : name, list: list))
                }
            },
            // Whose key it is was asked just before, by `find`.
            act: {
                try await $0.ask(
                    .revokeTestKey, as: .makeTestKeys, [.key: $0[parameter: "key"]])
            })
    }

    private var sweep: ConsoleRemoval {
        ConsoleRemoval(
            pattern: Self.path + "/sweep", action: .sweepTestPeople, part: "test-keys",
            name: "testPeople", operation: .sweepTestPeople,
            find: { console in
                .success(
                    ConsoleRemoval.Target(
                        word: console.tenant?.project.name ?? "", list: console.path("test-keys")))
            }, act: { try await $0.ask(.sweepTestPeople, body: ["older_than": 0]) })
    }

    private static let othersKey = AdministrativeRefusal(
        .forbidden, "others_key", "This key belongs to another person.")

    private static func mayRevoke(_ key: IssuerKey, _ console: ConsoleContext) -> Bool {
        console.may(.revokeTestKeys)
            || console.may(.makeTestKeys)
                && key.settings.owner == console.authority.person.username
    }

    private func list(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let list = ConsoleList(
            operation: .listTestKeys, address: console.path("test-keys"),
            columns: ["consoleName", "consoleAlgorithm", "consoleOwner", "consoleMade"]
                .map { console.text($0) } + [""],
            empty: console.text("consoleTestKeysNone")
        ).searched(console)
        let found = try await list.read(
            console,
            { try await TestKeyAdministration($0).list(startingWith: console.search) }
        ) { key in
            [
                ConsoleCell(key.settings.name, hint: key.kid),
                ConsoleCell(key.algorithm, isCode: true),
                ConsoleCell(key.settings.owner),
                ConsoleCell(console.when(key.createdAt)),
                console.link(
                    "consoleRevokeLink", to: console.path("test-keys", key.kid, "revoke"),
                    if: Self.mayRevoke(key, console)),
            ]
        }
        guard let table = found.value else {
            return console.refuse(found.refusal, part: "test-keys")
        }
        var sections = [
            ConsoleSection(
                filters: [list.filter(console, "consoleSearchTestKeys")], table: table)
        ]
        if console.may(.makeTestKeys) { sections.append(newKey(console, typed)) }
        if console.may(.sweepTestPeople) { sections.append(sweeping(console)) }
        return console.render(
            console.text("consolePart.test-keys"), lead: console.text("consoleTestKeysLead"),
            part: "test-keys", sections: sections, refusal: refusal)
    }

    private func newKey(_ console: ConsoleContext, _ typed: FormParameters?) -> ConsoleSection {
        let algorithms = ["RS256", "ES256"].map { (value: $0, label: $0) }
        return ConsoleSection(
            title: console.text("consoleTestKeyNew"), hint: console.text("consoleTestKeyNewHint"),
            forms: [
                ConsoleForm(
                    "create", to: console.path("test-keys", "create"),
                    button: console.text("consoleTestKeyCreate"),
                    inputs: [
                        ConsoleInput(
                            "name", console.text("consoleName"), value: typed?["name"] ?? "",
                            limit: 128),
                        ConsoleInput(
                            "alg", console.text("consoleAlgorithm"), .choice(algorithms),
                            value: typed?["alg"] ?? "RS256"),
                    ])
            ])
    }

    private func sweeping(_ console: ConsoleContext) -> ConsoleSection {
        ConsoleSection(
            title: console.text("consoleTestPeople"), hint: console.text("consoleTestPeopleHint"),
            links: [
                ConsoleLink(
                    text: console.text("consoleTestPeopleSweep"),
                    href: console.path("test-keys", "sweep"), isDanger: true, action: "sweep")
            ])
    }

    private func create(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let answer = try await console.ask(
            .createTestKey,
            body: [
                "name": .string((form["name"] ?? "").trimmed()),
                "alg": .string(form["alg"] ?? "RS256"),
                "owner": .string(console.authority.person.username),
            ])
        guard let key = answer.value, let pem = key["private_key"]?.string else {
            return try await list(console, refusal: answer.refusal, typed: form)
        }
        let id = key["key_id"]?.string ?? ""
        let url = "data:application/x-pem-file;base64,\(Base64.encode(Array(pem.utf8)))"
        return console.render(
            console.text("consoleTestKeyMade"),
            ConsoleSecret(
                label: console.text("consolePrivateKey"), text: pem,
                file: (name: "test-key-\(id).pem", url: url)),
            part: "test-keys", back: console.path("test-keys"),
            facts: [ConsoleFact(console.text("consoleKeyID"), ConsoleCell(id, isCode: true))])
    }
}
