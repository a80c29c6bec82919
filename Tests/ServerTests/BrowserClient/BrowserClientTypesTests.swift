// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing
import WebPages

/// The types of the browser client, checked by a real compiler: Debian's `node-typescript`.
@Suite(
    "The browser client's types",
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: TypeScript.compiler),
        "node-typescript is not installed"))
struct BrowserClientTypesTests {
    @Test("A page that uses every call compiles")
    func uses() async throws {
        let (status, output) = try await TypeScript.check("uses.ts")
        #expect(status == 0, "\(output)")
    }

    @Test("Each wrong use is refused for what is wrong with it, and nothing else is")
    func wrong() async throws {
        let (status, output) = try await TypeScript.check("wrong.ts")
        #expect(status != 0)
        let found = Set(
            output.matches(of: #/wrong\.ts\((\d+),\d+\): error TS(\d+)/#)
                .map { "\($0.1): \($0.2)" })
        let lines = try TypeScript.program("wrong.ts").split(
            separator: "\n", omittingEmptySubsequences: false)
        let wanted = Set(
            zip(1..., lines).compactMap { number, line in
                line.firstMatch(of: #/ // (\d+)$/#).map { "\(number): \($0.1)" }
            })
        #expect(wanted.count > 30)
        #expect(found == wanted, "\(output)")
    }

    @Test("Every call that there is, is used by that page")
    func complete() throws {
        let types = String(
            decoding: try WebResources().browserClient.types, as: UTF8.self)
        let page = try TypeScript.program("uses.ts")
        let members = types.matches(of: #/(?m)^  (?:readonly )?(\w+)\??[:(<]/#).map(\.1)
        let names = types.matches(of: #/(?m)^export (?:\w+) (\w+)/#).map(\.1)
        #expect(members.count > 60 && names.count > 20)
        for name in members + names where name != "constructor" {
            #expect(page.contains(name), "\(name) is not used")
        }
    }
}

/// A TypeScript compiler, and the programs that it checks.
enum TypeScript {
    static let compiler = "/usr/bin/tsc"

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "types")

    static func program(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// Compiles a program with the types that the provider serves; returns its status and output.
    static func check(_ name: String) async throws -> (Int32, String) {
        let place = TestFolder()
        let types = try WebResources().browserClient.types
        try Data(types).write(to: URL(filePath: place.path("gatehouse.d.ts")))
        let file = URL(filePath: place.path(name))
        try Data(program(name).utf8).write(to: file)
        let log = URL(filePath: place.path("log"))
        let child = try ChildProcess(
            URL(filePath: compiler),
            [
                "--noEmit", "--strict", "--noUncheckedIndexedAccess", "--target", "es2022",
                "--module", "es2022", "--moduleResolution", "node", "--lib", "es2022,dom",
                file.path(),
            ], log: log)
        let status = try await child.ended(within: .seconds(60))
        return (status, try String(contentsOf: log, encoding: .utf8))
    }
}
