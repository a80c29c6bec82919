// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import CWaiting
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Processes that this one starts and waits for.
package enum Subprocess {
    /// A descriptor of this process and its number in the child.
    package typealias Inherited = (descriptor: Descriptor, number: Int32)

    /// Starts a program with no other descriptor open than `inherited` and `/dev/null` as its
    /// input, no signal blocked or ignored, and only that environment.
    ///
    /// - Parameters:
    ///   - path: The program. `/proc/self/fd/N` names an inherited descriptor.
    ///   - arguments: With the program's name first.
    ///   - group: Its process group; 0 for a new one that it leads.
    /// - Returns: The process id.
    package static func start(
        _ path: String, _ arguments: [String], environment: [String], inherited: [Inherited],
        group: Int32
    ) throws(PlatformError) -> Int32 {
        let numbers = inherited.map(\.number)
        // Copies above the numbers of the child, so that none is overwritten before its turn.
        var copies: [Descriptor] = []
        defer { for copy in copies { copy.close() } }
        for (descriptor, _) in inherited { copies.append(try descriptor.duplicate(from: 16)) }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        for (copy, number) in zip(copies, numbers) {
            posix_spawn_file_actions_adddup2(&files, copy.rawValue, number)
        }
        try closeAll(except: numbers, in: &files)
        var attributes = try attributes(group: group)
        defer { posix_spawnattr_destroy(&attributes) }
        var process: pid_t = 0
        let code = withCStrings(arguments) { arguments in
            withCStrings(environment) { variables in
                posix_spawn(&process, path, &files, &attributes, arguments, variables)
            }
        }
        guard code == 0 else {
            throw PlatformError("posix_spawn", path, code: Errno(rawValue: code))
        }
        return process
    }

    /// Closes all descriptors of the child above 2 that are not in `numbers`.
    private static func closeAll(
        except numbers: [Int32], in files: inout posix_spawn_file_actions_t
    ) throws(PlatformError) {
        #if canImport(Glibc)
            // In the child, so that it inherits nothing that another thread opens in the meantime.
            let last = max(2, numbers.max() ?? 2)
            for number in 3..<(last + 1) where !numbers.contains(number) {
                posix_spawn_file_actions_addclose(&files, number)
            }
            _ = waiting_close_from(&files, last + 1)
        #else
            // A descriptor that another thread closes in the meantime is ignored.
            for file in try Descriptor.allOpen() where file.rawValue > 2 {
                guard !numbers.contains(file.rawValue) else { continue }
                posix_spawn_file_actions_addclose(&files, file.rawValue)
            }
        #endif
    }

    private static func attributes(group: Int32) throws(PlatformError) -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, group)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        guard posix_spawnattr_setflags(&attributes, numericCast(flags)) == 0 else {
            throw .last("posix_spawnattr_setflags")
        }
        return attributes
    }

    /// Waits for the end of a child; its number then belongs to no process.
    ///
    /// - Returns: The exit code, or 128 and the number of the signal.
    @discardableResult
    package static func wait(for process: Int32) -> Int32 {
        var status: Int32 = 0
        _ = retryingInterrupts { waitpid(process, &status, 0) }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    }

    /// Waits until a child has ended. Its number stays reserved until ``wait(for:)``.
    package static func waitForEnd(of process: Int32) {
        var information = siginfo_t()
        _ = retryingInterrupts { waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) }
    }
}
