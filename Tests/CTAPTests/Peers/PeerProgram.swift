// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A program of another project, run to its end.
///
/// It runs under a shell with a separate session. So it finds no terminal for PIN prompts and reads
/// PINs from its input, and does not use the pty of the key as its terminal.
struct PeerProgram {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let python = root.appending(path: ".venv/bin/python").path()

    static func exists(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: path)
    }

    static var hasTools: Bool { exists("/usr/bin/fido2-token") }
    static var hasPython: Bool {
        let site = root.appending(path: ".venv/lib")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: site.path())) ?? []
        return versions.contains {
            FileManager.default.fileExists(
                atPath: site.appending(path: "\($0)/site-packages/fido2").path())
        }
    }

    /// Whether that Python finds the system's pyscard.
    static let hasCardPython: Bool = {
        guard hasPython else { return false }
        let probe = Process()
        probe.executableURL = URL(filePath: python)
        probe.arguments = [
            "-c", "import sys; sys.path.append('/usr/lib/python3/dist-packages'); import smartcard",
        ]
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    static func run(
        _ words: [String], input: String = "", leadsSession: Bool = false,
        environment additions: [String: String] = [:]
    ) async throws -> Outcome {
        let folder = TestFolder()
        let files = ["in", "out", "err"].map(folder.path)
        try Data(input.utf8).write(to: URL(filePath: files[0]))
        let command = leadsSession ? words : ["/bin/sh", "-c", "\"$@\"; exit $?", "sh"] + words
        let pid = try spawn(command, files, additions)
        let status = await withCheckedContinuation { waiter in
            Thread.detachNewThread {
                var raw: Int32 = 0
                while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
                waiter.resume(returning: raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F))
            }
        }
        func text(_ file: String) -> String {
            (try? String(contentsOf: URL(filePath: file), encoding: .utf8)) ?? ""
        }
        return Outcome(status: status, output: text(files[1]), errors: text(files[2]))
    }

    struct CannotStart: Error {
        let program: String
        let code: Int32
    }

    private static func spawn(
        _ words: [String], _ files: [String], _ additions: [String: String]
    ) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, files[0], O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, files[1], O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, files[2], O_WRONLY | O_CREAT, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // POSIX_SPAWN_SETSID, which the overlay does not have.
        let newSession: Int16 = 0x80
        let signals = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, signals | newSession)
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let variables = ProcessInfo.processInfo.environment.merging(additions) { $1 }
        var environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for variable in environment { free(variable) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &environment)
        guard code == 0 else { throw CannotStart(program: words[0], code: code) }
        return pid
    }
}
