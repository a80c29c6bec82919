// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Platform
import Synchronization

/// Starts an extension's process: in its sandbox and a process group that it cannot leave, with a
/// clean environment, no signal blocked, and no descriptor open but its end of the socket, number 3.
enum ExtensionSpawn {
    /// The variable with the descriptor of the extension's end of the socket.
    static let socketVariable = "GATEHOUSE_EXTENSION_SOCKET"
    static let childSocket: Int32 = 3
    /// The executable, which is started by its descriptor, so that the verified file runs.
    private static let childExecutable: Int32 = 4

    /// The variables of the agent's environment that an extension receives.
    static let inherited = [
        "LANG", "LC_ALL", "LC_CTYPE", "TZ", "HOME", "TMPDIR", "HTTP_PROXY", "HTTPS_PROXY",
        "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
    ]

    /// - Parameter log: The descriptor for its output; `/dev/null` is its input.
    /// - Returns: The process, and the agent's end of the socket.
    static func start(
        _ program: ExtensionProgram, log: Descriptor
    ) throws(ExtensionError) -> (process: ExtensionProcessGroup, socket: Descriptor) {
        let (ours, theirs): (Descriptor, Descriptor)
        do throws(PlatformError) { (ours, theirs) = try UnixSocket.pair() } catch {
            throw failure(error)
        }
        defer { theirs.close() }
        do throws(ExtensionError) {
            return (try confined(program, socket: theirs, log: log), ours)
        } catch {
            ours.close()
            throw error
        }
    }

    /// Starts the process on a new thread: the restrictions of a thread apply to its children, and
    /// not to the agent's other threads. The call blocks until the process is started.
    private static func confined(
        _ program: ExtensionProgram, socket: Descriptor, log: Descriptor
    ) throws(ExtensionError) -> ExtensionProcessGroup {
        let outcome = Mutex<Result<ExtensionProcessGroup, ExtensionError>>(
            .failure(ExtensionError(.cannotStart, "no thread")))
        let started = DispatchSemaphore(value: 0)
        do throws(PlatformError) {
            try BackgroundThread.start(niceness: 0, stackSize: 524_288) {
                let result = Result { () throws(ExtensionError) in
                    try spawnInSandbox(program, socket: socket, log: log)
                }
                outcome.withLock { $0 = result }
                started.signal()
            }
        } catch {
            throw failure(error)
        }
        started.wait()
        return try outcome.withLock { $0 }.get()
    }

    private static func spawnInSandbox(
        _ program: ExtensionProgram, socket: Descriptor, log: Descriptor
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

    /// - Parameter group: 0 for one that the process leads.
    private static func spawn(
        _ program: ExtensionProgram, socket: Descriptor, log: Descriptor, group: Int32
    ) throws(ExtensionError) -> Int32 {
        #if os(Linux)
            let path = "/proc/self/fd/\(childExecutable)"
        #else
            let path = program.executable.path
        #endif
        do throws(PlatformError) {
            return try Subprocess.start(
                path, [program.executable.path] + program.arguments, environment: environment(),
                inherited: [
                    (log, 1), (log, 2), (socket, childSocket),
                    (program.executable.descriptor, childExecutable),
                ], group: group)
        } catch { throw failure(error) }
    }

    private static func environment() -> [String] {
        let kept = inherited.compactMap { name in ProcessEnvironment[name].map { "\(name)=\($0)" } }
        return kept + ["PATH=/usr/local/bin:/usr/bin:/bin", "\(socketVariable)=\(childSocket)"]
    }

    private static func failure(_ error: PlatformError) -> ExtensionError {
        ExtensionError(.cannotStart, "\(error)")
    }
}
