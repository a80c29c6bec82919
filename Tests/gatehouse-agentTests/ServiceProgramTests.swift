// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

@testable import gatehouse_agent

/// What `agent install` lets root run. Each test owns its files, as root would.
@Suite struct ServiceProgramTests {
    private let folder = TestFolder()

    private func refusal(_ path: String, owner: UInt32 = geteuid()) -> String? {
        do {
            try ServiceProgram.check(path, owner: owner)
            return nil
        } catch { return "\(error)" }
    }

    /// A program two folders down, its path with all links resolved.
    private func program() throws -> String {
        let bin = folder.path("local/bin")
        try FileManager.default.createDirectory(
            atPath: bin, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        chmod(folder.path("local"), 0o755)
        chmod(folder.path("."), 0o755)
        let path = bin + "/gatehouse"
        try Data().write(to: URL(filePath: path))
        chmod(path, 0o755)
        return URL(filePath: path).resolvingSymlinksInPath().path
    }

    @Test("A program of its owner's, in folders of its owner's, may run")
    func accepted() throws { #expect(refusal(try program()) == nil) }

    @Test("A program that others can write or replace is refused")
    func writable() throws {
        let path = try program()
        chmod(path, 0o775)
        #expect(refusal(path)?.contains("Others than its owner may write") == true)
        chmod(path, 0o755)
        for name in ["local/bin", "local"] {
            chmod(folder.path(name), 0o777)
            #expect(refusal(path)?.contains("Others than its owner may write") == true, "\(name)")
            chmod(folder.path(name), 0o755)
        }
        #expect(refusal(path) == nil)
    }

    @Test("A program of another owner is refused", .enabled(if: geteuid() == 0, "needs root"))
    func foreign() throws {
        let path = try program()
        chown(path, 12_345, 12_345)
        #expect(refusal(path)?.contains("belongs to user 12345") == true)
        chown(path, 0, 0)
        chown(folder.path("local"), 12_345, 12_345)
        #expect(refusal(path)?.contains("belongs to user 12345") == true)
    }

    @Test(
        "A program in a home directory is refused: the service would not see it",
        arguments: ["/home/anna/gatehouse", "/root/gatehouse", "/run/user/0/gatehouse"])
    func home(path: String) {
        #expect(refusal(path)?.contains("lies in a home") == true)
    }

    @Test("What is not there, a folder, and a relative path are refused")
    func absent() throws {
        let path = try program()
        #expect(refusal(path + "x")?.contains("is not there") == true)
        let bin = String(path.dropLast("/gatehouse".count))
        #expect(refusal(bin)?.contains("is not a file") == true)
        #expect(refusal("gatehouse") != nil)
    }
}
