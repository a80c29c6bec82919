// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Synchronization

/// A program started by a test, its output in a file. Ended by pid, and with its owner at the
/// latest.
///
/// Spawned by hand: `Foundation.Process` passes on the signal mask of whichever Dispatch thread
/// starts it, and a child that blocks SIGTERM cannot be drained.
package final class ChildProcess: Sendable {
    package let pid: Int32
    package let log: URL
    private let status = Mutex<Int32?>(nil)

    package init(
        _ program: URL, _ arguments: [String], input: URL? = nil, log: URL, errors: URL? = nil,
        environment: [String: String] = [:]
    ) throws {
        self.log = log
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        let append = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&files, 0, input?.path() ?? "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, 1, log.path(), append, 0o644)
        posix_spawn_file_actions_addopen(&files, 2, (errors ?? log).path(), append, 0o644)
        pid = try Self.spawn([program.path()] + arguments, environment, &files)
    }

    /// Left behind by a test that failed. It gets the time to end its own children, which an end
    /// by force would leave running: Apache's workers, a browser's pages.
    deinit {
        guard isRunning else { return }
        kill(pid, SIGTERM)
        for _ in 0..<600 where isRunning { usleep(5000) }
        if isRunning { kill(pid, SIGKILL) }
    }

    private static func spawn(
        _ words: [String], _ environment: [String: String],
        _ files: inout posix_spawn_file_actions_t
    ) throws -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let settings = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var arguments = words.map { strdup($0) } + [nil]
        var variables = settings.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        var result = posix_spawn(&pid, words[0], &files, &attributes, &arguments, &variables)
        // A program that was just copied is busy while the child of another test has the copy
        // open.
        for _ in 0..<200 where result == ETXTBSY {
            usleep(10_000)
            result = posix_spawn(&pid, words[0], &files, &attributes, &arguments, &variables)
        }
        guard result == 0 else { throw HarnessError("cannot start \(words[0]): \(result)") }
        return pid
    }

    /// The exit status (128 + signal when it was killed); `nil` while it runs.
    package var exitStatus: Int32? {
        status.withLock { known in
            if known != nil { return known }
            var raw: Int32 = 0
            guard waitpid(pid, &raw, WNOHANG) == pid else { return nil }
            known = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + (raw & 0x7f)
            return known
        }
    }

    package var isRunning: Bool { exitStatus == nil }

    /// Blocks until the process ends: not for the cooperative pool.
    package func wait() -> Int32 {
        while true {
            if let status = exitStatus { return status }
            usleep(5000)
        }
    }

    package func signal(_ number: Int32) { if isRunning { kill(pid, number) } }

    package func ended(within limit: Duration = .seconds(20)) async throws -> Int32 {
        try await eventually("process \(pid) ends", within: limit) { exitStatus }
    }

    /// Sends the signal and waits for the end; past patience it is killed.
    @discardableResult
    package func stop(
        _ number: Int32 = SIGTERM, within limit: Duration = .seconds(15)
    ) async throws
        -> Int32
    {
        signal(number)
        do {
            return try await ended(within: limit)
        } catch {
            signal(SIGKILL)
            throw error
        }
    }

    /// The last lines it wrote, for a failure's message.
    package var lastWords: String {
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        return String(text.suffix(1500))
    }

    /// VmRSS in KiB.
    package var residentKiB: Int {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
    }
}
