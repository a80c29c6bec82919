// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Foundation
import SSOExtensions
import Support
import Testing

@testable import gatehouse_agent

/// `extension sign`, `verify`, `install`, `uninstall`, `list`.
@Suite("extension") struct ExtensionCommandTests {
    /// A folder with an executable and a key that is not there yet.
    private struct House {
        let files = TestFolder()
        let executable: String
        let key: String

        init() throws {
            executable = files.path("sso")
            key = files.path("team.jwk")
            try Data("#!/bin/sh\nexit 0\n".utf8).write(to: URL(filePath: executable))
        }

        var place: [String] {
            ["--extensions", files.path("extensions"), "--owner", "\(getuid())"]
        }

        var folder: ExtensionFolder {
            ExtensionFolder(path: files.path("extensions"), owner: getuid())
        }

        func sign(_ more: [String] = ["--new-key"]) async throws {
            try await ExtensionSignCommand.parse(
                [executable, "--identifier", "com.example.sso", "--name", "Example", "--key", key]
                    + more
            ).run()
        }

        func install(_ more: [String] = []) async throws {
            try await ExtensionInstallCommand.parse([executable] + place + more).run()
        }
    }

    @Test("What was signed is installed, verified, listed and taken away")
    func whole() async throws {
        let house = try House()
        try await house.sign()
        try await ExtensionVerifyCommand.parse([house.executable]).run()
        try await house.install()
        let team = try house.folder.verify("com.example.sso", team: nil).manifest.team
        try await ExtensionVerifyCommand.parse(
            ["com.example.sso", "--team", team] + house.place
        ).run()
        try await ExtensionListCommand.parse(["--json"] + house.place).run()
        try await ExtensionUninstallCommand.parse(["com.example.sso"] + house.place).run()
        #expect(house.folder.identifiers.isEmpty)
        await #expect(throws: CommandError.self) {
            try await ExtensionUninstallCommand.parse(["com.example.sso"] + house.place).run()
        }
    }

    @Test("The key is kept, private, and signs updates")
    func update() async throws {
        let house = try House()
        try await house.sign()
        let mode = try FileManager.default.attributesOfItem(atPath: house.key)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        try await house.install()
        await #expect(throws: CommandError.self) { try await house.install() }
        try await house.sign([])
        try await house.install(["--replace"])
        await #expect(throws: CommandError.self) { try await house.sign() }
    }

    @Test("An executable that changed after signing is not installed")
    func changed() async throws {
        let house = try House()
        try await house.sign()
        try Data("#!/bin/sh\nexit 1\n".utf8).write(to: URL(filePath: house.executable))
        await #expect(throws: CommandError.self) { try await house.install() }
        await #expect(throws: ExitCode.self) {
            try await ExtensionVerifyCommand.parse([house.executable, "--json"]).run()
        }
    }

    @Test(
        "What makes no manifest is refused",
        arguments: [
            ["--capability", "fly", "--new-key"], ["--identifier", "no spaces", "--new-key"],
            ["--name", "", "--new-key"], [],
        ])
    func refused(more: [String]) async throws {
        let house = try House()
        await #expect(throws: CommandError.self) { try await house.sign(more) }
        #expect(!FileManager.default.fileExists(atPath: house.executable + ".manifest"))
    }
}
