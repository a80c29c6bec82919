// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndCluster {
    /// `Scripts/previous-release`, in a separate repository with a compiler that records its calls.
    @Suite("The program of the previous release", .enabled(if: Repository.has("git"), "needs git"))
    struct PreviousReleaseTests {
        @Test("the newest release below this version is built once, and its worktree is removed")
        func newest() async throws {
            let repository = try await ScratchRepository(
                releases: ["v0.2.0", "v0.10.0", "v0.9.1", "v1.0.0", "nightly"], version: "1.0.0-dev"
            )
            for _ in 0..<2 {
                let built = try await repository.run()
                #expect(built.status == 0, "\(built.errors)")
                let program = built.output.trimmingCharacters(in: .newlines)
                #expect(try String(contentsOfFile: program, encoding: .utf8).contains("v0.10.0"))
                #expect(FileManager.default.fileExists(atPath: repository.resources(of: program)))
            }
            #expect(try repository.calls == 1)
            let worktrees = try await repository.git("worktree", "list").output
            #expect(worktrees.split(separator: "\n").count == 1, "\(worktrees)")
            #expect(try await repository.git("status", "--porcelain").output == "")

            let other = try await repository.run("--ref", "v0.2.0")
            let program = other.output.trimmingCharacters(in: .newlines)
            #expect(try String(contentsOfFile: program, encoding: .utf8).contains("v0.2.0"))
            #expect(try repository.calls == 2)
        }

        @Test("a program of an older release or of another commit is reported, and not used")
        func check() async throws {
            let repository = try await ScratchRepository(
                releases: ["v0.1.0", "v0.2.0"], version: "0.3.0-dev")
            try await repository.expectRefusal("the program of v0.2.0", "--check")
            #expect(try await repository.run("--ref", "v0.1.0").status == 0)
            let stale = try await repository.run("--check")
            #expect(stale.status == 1 && stale.output == "")
            #expect(stale.errors.contains(".build-previous/program is of v0.1.0 ("))
            #expect(stale.errors.contains("the release before 0.3.0-dev is v0.2.0 ("))
            #expect(stale.errors.contains("make test-upgrade"), "\(stale.errors)")

            let built = try await repository.run()
            let current = try await repository.run("--check")
            #expect(current.status == 0 && current.output == built.output)
            #expect(try repository.calls == 2)

            try await repository.release("v0.2.1")
            try await repository.commit("0.3.0-dev")
            #expect(try await repository.run("--check").errors.contains("is v0.2.1 ("))
            try repository.folder.write("unreadable", to: ".build-previous/program/commit")
            #expect(try await repository.run("--check").status == 1)
        }

        @Test("without a release below this version the script names the tags that are missing")
        func noRelease() async throws {
            let repository = try await ScratchRepository(
                releases: ["v0.2.0", "0.1.0", "v0.1"], version: "0.2.0-dev")
            try await repository.expectRefusal("no tag vX.Y.Z is below 0.2.0-dev")
        }

        @Test("a release of another branch is refused, unless it is named")
        func otherBranch() async throws {
            let repository = try await ScratchRepository(releases: ["v0.1.0"], version: "0.3.0")
            _ = try await repository.git("checkout", "-q", "-b", "other", "v0.1.0")
            try await repository.release("v0.2.0")
            _ = try await repository.git("checkout", "-q", "-")
            try await repository.expectRefusal("v0.2.0 is not an ancestor of this checkout")
            #expect(try await repository.run("--ref", "v0.2.0").status == 0)
        }

        @Test("a shallow clone, a folder without history and an unknown commit are refused")
        func incomplete() async throws {
            let repository = try await ScratchRepository(releases: ["v0.1.0"], version: "0.2.0")
            try await repository.expectRefusal("no commit v0.7.0", "--ref", "v0.7.0")
            let clone = try await repository.shallowClone()
            try await clone.expectRefusal("git fetch --unshallow --tags")
            try FileManager.default.removeItem(at: repository.folder.file(".git"))
            try await repository.expectRefusal("is not a git checkout")
        }

        @Test("a build that fails leaves no worktree and no program")
        func failingBuild() async throws {
            let repository = try await ScratchRepository(releases: ["v0.1.0"], version: "0.2.0")
            try repository.folder.write("", to: "fails")
            try await repository.expectRefusal("the build failed")
            #expect(
                try await repository.git("worktree", "list").output.split(separator: "\n").count
                    == 1)
            try FileManager.default.removeItem(at: repository.folder.file("fails"))
            #expect(try await repository.run().status == 0)
        }
    }
}

/// A git repository with the script, a version and some releases.
private struct ScratchRepository {
    let folder: TemporaryDirectory

    /// - Parameters:
    ///   - releases: tags, of one commit each.
    ///   - version: of the checkout.
    init(releases: [String], version: String) async throws {
        folder = try TemporaryDirectory()
        let names = ["Scripts", "Sources/CommandLineSupport", "bin"]
        for name in names {
            try FileManager.default.createDirectory(
                at: folder.file(name), withIntermediateDirectories: true)
        }
        let script = "Scripts/previous-release"
        try FileManager.default.copyItem(
            at: Repository.root.appending(path: script), to: folder.file(script))
        try folder.write(Self.compiler, to: "bin/swift")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.file("bin/swift").path())
        try folder.write("/.build-*/\n/bin/\n/fails\n", to: ".gitignore")
        _ = try await git("init", "-q")
        for tag in releases { try await release(tag) }
        try await commit(version)
    }

    private init(_ folder: TemporaryDirectory) { self.folder = folder }

    /// What it "compiles" is the file with the version.
    private static let compiler = """
        #!/bin/sh
        here=$(dirname "$0")
        echo "$*" >>"$here/calls"
        while [ $# -gt 0 ]; do
            case $1 in --package-path) source=$2 ;; --scratch-path) scratch=$2 ;; esac
            shift
        done
        [ ! -e "$here/../fails" ] || exit 1
        mkdir -p "$scratch/debug/gatehouse_WebPages.resources"
        cp "$source/Sources/CommandLineSupport/Version.swift" "$scratch/debug/gatehouse"
        """

    func release(_ tag: String) async throws {
        try await commit(tag)
        _ = try await git("tag", tag)
    }

    func commit(_ version: String) async throws {
        try folder.write(
            #"static let text = "\#(version)""#, to: "Sources/CommandLineSupport/Version.swift")
        _ = try await git("add", "-A")
        _ = try await git("commit", "-q", "-m", version)
    }

    @discardableResult
    func git(_ words: String...) async throws -> Command.Outcome {
        let program = try #require(Repository.path(of: "git"))
        let settings = ["user.name=Test", "user.email=test@example.com", "commit.gpgsign=false"]
        let outcome = try await Command.run(
            program, ["-C", folder.url.path()] + settings.flatMap { ["-c", $0] } + words)
        guard outcome.status == 0 else { throw HarnessError("git \(words): \(outcome.errors)") }
        return outcome
    }

    func run(_ words: String...) async throws -> Command.Outcome { try await run(words) }

    private func run(_ words: [String]) async throws -> Command.Outcome {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try await Command.run(
            folder.file("Scripts/previous-release"), words,
            environment: ["PATH": "\(folder.file("bin").path()):\(path)"])
    }

    func expectRefusal(_ message: String, _ words: String...) async throws {
        let outcome = try await run(words)
        #expect(outcome.status == 1 && outcome.output == "", "\(outcome.output)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(
            !FileManager.default.fileExists(atPath: folder.file(".build-previous/program").path()))
    }

    func shallowClone() async throws -> ScratchRepository {
        let clone = ScratchRepository(try TemporaryDirectory())
        _ = try await git(
            "clone", "-q", "--depth", "1", "file://\(folder.url.path())", clone.folder.url.path())
        return clone
    }

    /// The number of builds.
    var calls: Int {
        get throws {
            try String(contentsOf: folder.file("bin/calls"), encoding: .utf8)
                .split(separator: "\n").count
        }
    }

    func resources(of program: String) -> String {
        URL(filePath: program).deletingLastPathComponent()
            .appending(path: "gatehouse_WebPages.resources").path()
    }
}
