// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Foundation
import Support
import Testing

@testable import gatehouse

/// Commands that `gatehouse-agent` has.
@Suite struct ForwardedCommandTests {
    private func forwarded(_ arguments: String...) throws -> [String] {
        let command = try Gatehouse.parseAsRoot(arguments)
        let found = try #require(command as? any ForwardedCommand)
        return type(of: found).words + found.arguments
    }

    @Test("Arguments reach the agent's program as they were typed, with --help and all after --")
    func arguments() throws {
        #expect(try forwarded("agent") == [])
        #expect(try forwarded("agent", "--help") == ["--help"])
        #expect(
            try forwarded("agent", "run", "--keys", "file", "--socket=/a b")
                == ["run", "--keys", "file", "--socket=/a b"])
        #expect(
            try forwarded("agent", "install", "--", "--keys", "tpm")
                == ["install", "--", "--keys", "tpm"])
        #expect(try forwarded("status", "--json") == ["status", "--json"])
        #expect(try forwarded("register", "user", "--phone") == ["register", "user", "--phone"])
        #expect(try forwarded("register", "device", "-h") == ["register", "device", "-h"])
        #expect(
            try forwarded("unregister", "device", "--yes", "--json")
                == ["unregister", "device", "--yes", "--json"])
        #expect(try forwarded("extension", "list") == ["extension", "list"])
    }

    @Test("The program alongside is taken, then the first of PATH; else the error names the path")
    func location() throws {
        let folder = TestFolder()
        let name = AgentExecutable.name
        for place in ["lib", "other", "bin"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(place), withIntermediateDirectories: true)
        }
        let first = URL(filePath: folder.path("lib/\(name)"))
        let second = URL(filePath: folder.path("bin/\(name)"))
        let path = "relative:\(folder.path("other")):\(folder.path("bin"))"
        #expect(
            throws: CommandError(
                "\(first.path()) is missing, and PATH has no other gatehouse-agent; install it "
                    + "alongside this program")
        ) { try AgentExecutable.find(alongside: first, path: path) }
        for file in [second, first] {
            try Data("#!/bin/sh\n".utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: file.path())
            let found = try AgentExecutable.find(alongside: first, path: path)
            #expect(found.path() == file.path())
        }
        // A file that is not executable is not the program.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: first.path())
        #expect(
            try AgentExecutable.find(alongside: first, path: path).path() == second.path())
    }
}
