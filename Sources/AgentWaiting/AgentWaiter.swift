// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import CWaiting
    import Glibc
#elseif canImport(Musl)
    import CWaiting
    import Musl
#else
    import Darwin
#endif

/// The agent at rest: the same process, which has become a program of a few pages that waits for its
/// socket, its profiles and its time, and nothing else. Whatever happens, it becomes the agent again, and
/// that does what there is to do.
///
///     gatehouse-waiter SOCKET MEMORY LOCK WATCHED,… PATH AGENT [ARGUMENT …]
///
/// Nothing is lost in between: descriptors are made before the agent stops looking, connections wait in
/// the socket, signals in the kernel.
package enum AgentWaiter {
    /// In the directory of the agent's program.
    private static let name = "gatehouse-waiter"
    /// Where an agent that has rested finds its socket and its memory.
    package static let variable = "GATEHOUSE_AGENT_RESTED"

    // MARK: Before

    /// This process becomes the waiter.
    ///
    /// - Parameters:
    ///   - agent: The program to come back as, an absolute path.
    ///   - arguments: of this process.
    /// - Throws: when it cannot be; then nothing has changed.
    package static func begin(
        _ files: RestingDescriptors, agent: String, arguments: [String]
    ) throws(IdleProcessError) -> Never {
        let folder = agent.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let program = folder + "/" + name
        guard access(program, X_OK) == 0 else { throw .noWaiter(program) }
        try files.keepAlone()
        var signals = ends
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let error = execute(program, [program] + files.words + [agent] + arguments.dropFirst())
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        throw error
    }

    /// Returns a descriptor that becomes readable when one of those directories changes; `nil` if
    /// the system cannot watch the first.
    package static func watch(_ folders: [String]) -> Int32? {
        #if os(Linux)
            let file = inotify_init1(Int32(IN_CLOEXEC))
            let what =
                IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE
            if file >= 0, let first = folders.first,
                inotify_add_watch(file, first, UInt32(what)) >= 0
            {
                for other in folders.dropFirst() {
                    _ = inotify_add_watch(file, other, UInt32(what))
                }
                return file
            }
            if file >= 0 { close(file) }
        #endif
        return nil
    }

    /// Returns two descriptors that become readable at a time: one follows the adjustable clock,
    /// and so notices sleep and a clock that is set ahead; the other follows the boot-time clock,
    /// for a clock that is set back.
    ///
    /// - Parameters:
    ///   - time: Milliseconds since 1970.
    ///   - left: The time until then, in milliseconds.
    package static func timers(at time: Int64, in left: Int64) throws(IdleProcessError) -> [Int32] {
        #if os(Linux)
            let wall = try timer(CLOCK_REALTIME, time, Int32(TFD_TIMER_ABSTIME))
            do throws(IdleProcessError) { return [wall, try timer(CLOCK_BOOTTIME, left, 0)] } catch
            {
                close(wall)
                throw error
            }
        #else
            throw .system("timerfd", ENOSYS)
        #endif
    }

    #if os(Linux)
        private static func timer(
            _ clock: Int32, _ milliseconds: Int64, _ flags: Int32
        ) throws(IdleProcessError) -> Int32 {
            let file = timerfd_create(clock, Int32(TFD_CLOEXEC))
            guard file >= 0 else { throw .system("timerfd_create", errno) }
            var time = itimerspec()
            // Zero would switch it off.
            let span = max(milliseconds, 1)
            time.it_value = timespec(
                tv_sec: Int(span / 1000), tv_nsec: Int(span % 1000) * 1_000_000)
            guard timerfd_settime(file, flags, &time, nil) == 0 else {
                let error = IdleProcessError.system("timerfd_settime", errno)
                close(file)
                throw error
            }
            return file
        }
    #endif

    /// What ends it, or has it read its profiles again.
    private static var ends: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
        return set
    }

    private static func execute(_ program: String, _ words: [String]) -> IdleProcessError {
        var letters: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        letters.append(nil)
        execv(program, &letters)
        let error = IdleProcessError.system("execv", errno)
        for word in letters { free(word) }
        return error
    }

    // MARK: At rest

    /// The whole program.
    ///
    /// - Returns: the exit code, where it does not become the agent again.
    package static func run(_ arguments: [String]) -> Int32 {
        let end = 1 + RestingDescriptors.wordCount
        guard arguments.count > end, let files = RestingDescriptors(arguments[1..<end]) else {
            return 2
        }
        #if os(Linux)
            if let signal = wait(files), signal != SIGHUP {
                if !files.path.isEmpty { unlink(files.path) }
                return 0
            }
            for file in files.watched + [files.lock] { close(file) }
            setenv(variable, "\(files.socket) \(files.memory)", 1)
            // The agent must not inherit the blocked signals.
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            _ = execute(arguments[end], Array(arguments[end...]))
        #endif
        return 1
    }

    #if os(Linux)
        /// - Returns: the signal that ended it, if one did.
        private static func wait(_ files: RestingDescriptors) -> Int32? {
            var set = ends
            let signals = signalfd(-1, &set, Int32(SFD_CLOEXEC))
            var waiting = ([signals, files.socket] + files.watched).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            while poll(&waiting, nfds_t(waiting.count), -1) < 0, errno == EINTR {}
            guard waiting[0].revents & Int16(POLLIN) != 0 else { return nil }
            var signal = signalfd_siginfo()
            let size = MemoryLayout<signalfd_siginfo>.size
            return read(signals, &signal, size) == size ? Int32(signal.ssi_signo) : nil
        }
    #endif

    // MARK: Afterwards

    /// What was left to a process that has rested.
    package static func left(
        _ environment: [String: String]
    ) -> (socket: Int32, memory: Int32)? {
        let words = (environment[variable] ?? "").split(separator: " ").map { Int32($0) }
        guard words.count == 2, let socket = words[0], let memory = words[1],
            socket > STDERR_FILENO, memory > STDERR_FILENO
        else { return nil }
        unsetenv(variable)
        for file in [socket, memory] { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
        return (socket, memory)
    }
}
