// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Primitives
import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Starts an extension's process: in its sandbox and a group that nobody leaves, with a clean environment, no
/// signal blocked, and nothing of ours open but its end of the socket, which is descriptor 3.
enum ExtensionSpawn {
    /// Where an extension finds its end of the socket.
    static let socketVariable = "GATEHOUSE_EXTENSION_SOCKET"
    static let childSocket: Int32 = 3
    /// The executable itself: it is started by descriptor, so what was verified is what runs.
    private static let childExecutable: Int32 = 4

    /// What an extension gets to see of the agent's environment.
    static let inherited = [
        "LANG", "LC_ALL", "LC_CTYPE", "TZ", "HOME", "TMPDIR", "HTTP_PROXY", "HTTPS_PROXY",
        "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
    ]

    /// - Parameter log: where the process writes its output; `/dev/null` is its input.
    /// - Returns: the process, and our end of the socket.
    static func start(
        _ program: ExtensionProgram, log: Int32
    ) throws(ExtensionError) -> (process: ExtensionProcessGroup, socket: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, streamType, 0, &ends) == 0 else { throw failure("socketpair") }
        defer { close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        do throws(ExtensionError) {
            return (try confined(program, socket: ends[1], log: log), ends[0])
        } catch {
            close(ends[0])
            throw error
        }
    }

    /// From a thread of its own: what the kernel takes from a thread, that thread's children lack too,
    /// and the agent's other threads keep it. It takes a moment, as starting a process does.
    private static func confined(
        _ program: ExtensionProgram, socket: Int32, log: Int32
    ) throws(ExtensionError) -> ExtensionProcessGroup {
        let outcome = Mutex<Result<ExtensionProcessGroup, ExtensionError>>(
            .failure(failure("pthread", 0)))
        let started = DispatchSemaphore(value: 0)
        do throws(ThreadCreationError) {
            try BackgroundThread.start(niceness: 0, stackSize: 524_288) {
                let result = Result { () throws(ExtensionError) in
                    try spawnInSandbox(program, socket: socket, log: log)
                }
                outcome.withLock { $0 = result }
                started.signal()
            }
        } catch {
            throw failure("pthread_create", error.code)
        }
        started.wait()
        return try outcome.withLock { $0 }.get()
    }

    private static func spawnInSandbox(
        _ program: ExtensionProgram, socket: Int32, log: Int32
    ) throws(ExtensionError) -> ExtensionProcessGroup {
        #if os(Linux)
            var group = ExtensionProcessGroup(leader: try ExtensionSandbox.makeGroup())
            do throws(ExtensionError) {
                try ExtensionSandbox.enter(group: group.leader)
                let pid = try spawn(program, socket: socket, log: log, group: group.leader)
                group.pid = pid
                try ExtensionSandbox.limit(pid)
            } catch {
                group.discard()
                throw error
            }
            return group
        #else
            let pid = try spawn(program, socket: socket, log: log, group: 0)
            return ExtensionProcessGroup(leader: pid, pid: pid)
        #endif
    }

    private static func spawn(
        _ program: ExtensionProgram, socket: Int32, log: Int32, group: pid_t
    ) throws(ExtensionError) -> pid_t {
        // Copies above the numbers that the child's get, so that none is overwritten before its turn.
        let sources = [socket, program.executable.descriptor, log].map {
            fcntl($0, F_DUPFD_CLOEXEC, 16)
        }
        defer { for source in sources where source >= 0 { close(source) } }
        guard sources.allSatisfy({ $0 >= 0 }) else { throw failure("fcntl") }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&files, sources[2], 1)
        posix_spawn_file_actions_adddup2(&files, sources[2], 2)
        posix_spawn_file_actions_adddup2(&files, sources[0], childSocket)
        posix_spawn_file_actions_adddup2(&files, sources[1], childExecutable)
        for descriptor in openDescriptors(above: childExecutable) {
            posix_spawn_file_actions_addclose(&files, descriptor)
        }
        var attributes = try attributes(group: group)
        defer { posix_spawnattr_destroy(&attributes) }
        return try spawn(program, &files, &attributes)
    }

    private static func spawn(
        _ program: ExtensionProgram, _ files: inout posix_spawn_file_actions_t,
        _ attributes: inout posix_spawnattr_t
    ) throws(ExtensionError) -> pid_t {
        var arguments = ([program.executable.path] + program.arguments).map { strdup($0) } + [nil]
        var variables = environment().map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        #if os(Linux)
            let path = "/proc/self/fd/\(childExecutable)"
        #else
            let path = program.executable.path
        #endif
        let code = posix_spawn(&pid, path, &files, &attributes, &arguments, &variables)
        guard code == 0 else { throw failure("posix_spawn", code) }
        return pid
    }

    /// - Parameter group: 0 for one that the process leads.
    private static func attributes(
        group: pid_t
    ) throws(ExtensionError) -> posix_spawnattr_t {
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
            throw failure("posix_spawnattr_setflags")
        }
        return attributes
    }

    /// Descriptors that are open now; closing one in the child that is gone by then does no harm.
    private static func openDescriptors(above least: Int32) -> [Int32] {
        let names = FolderNames.of("/proc/self/fd") ?? FolderNames.of("/dev/fd") ?? []
        return names.compactMap { Int32($0) }.filter { $0 > least }
    }

    private static func environment() -> [String] {
        let kept = inherited.compactMap { name in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        return kept + ["PATH=/usr/local/bin:/usr/bin:/bin", "\(socketVariable)=\(childSocket)"]
    }

    private static func failure(_ call: String, _ code: Int32 = errno) -> ExtensionError {
        ExtensionError(.cannotStart, "\(call): \(String(cString: strerror(code)))")
    }

    private static var streamType: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }
}
