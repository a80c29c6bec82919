// SPDX-License-Identifier: Apache-2.0
package import Platform

/// The idle agent: the same process, which has become a program of a few pages that waits for its
/// socket, its profiles and its time. At any event it becomes the agent again, which handles it.
///
///     gatehouse-waiter SOCKET MEMORY LOCK WATCHED,… PATH AGENT [ARGUMENT …]
///
/// Nothing is lost in between: descriptors are created before the agent stops serving, connections wait
/// in the socket, signals in the kernel.
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
        guard FileSystem.isExecutable(program) else { throw .noWaiter(program) }
        try files.keepAlone()
        var signals = BlockedSignals(ends)
        signals.block()
        let error = CurrentProcess.execute(
            program, [program] + files.words + [agent] + arguments.dropFirst())
        signals.unblock()
        throw IdleProcessError(error)
    }

    /// A descriptor that is readable after a change in one of those directories; `nil` if the first
    /// cannot be watched.
    package static func watch(_ folders: [String]) -> Descriptor? {
        guard let first = folders.first else { return nil }
        return EventDescriptor.changes(
            in: first, and: Array(folders.dropFirst()), includingContent: true)
    }

    /// Returns two descriptors that become readable at a time. One uses `CLOCK_REALTIME`, for sleep
    /// and a clock that is set ahead. The other uses the boot-time clock, for a clock that is set
    /// back.
    ///
    /// - Parameters:
    ///   - time: Milliseconds since 1970.
    ///   - left: Until then, in milliseconds.
    package static func timers(
        at time: Int64, in left: Int64
    ) throws(IdleProcessError) -> [Descriptor] {
        do throws(PlatformError) {
            let wall = try EventDescriptor.wallClock(reaches: time)
            do throws(PlatformError) {
                return [wall, try EventDescriptor.elapsed(milliseconds: left)]
            } catch {
                wall.close()
                throw error
            }
        } catch { throw IdleProcessError(error) }
    }

    /// What ends it, or has it read its profiles again.
    private static let ends: [ProcessSignal] = [.terminate, .interrupt, .hangUp]

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
            if let signal = wait(files), signal != .hangUp {
                if !files.path.isEmpty { try? FileSystem.remove(files.path) }
                return 0
            }
            for file in files.watched + [files.lock] { file.close() }
            ProcessEnvironment.set(
                variable, to: "\(files.socket.rawValue) \(files.memory.rawValue)")
            // The agent does not inherit the blocked signals.
            BlockedSignals.unblockAll()
            _ = CurrentProcess.execute(arguments[end], Array(arguments[end...]))
        #endif
        return 1
    }

    #if os(Linux)
        /// - Returns: the signal that ended it, if one did.
        private static func wait(_ files: RestingDescriptors) -> ProcessSignal? {
            var blocked = BlockedSignals(ends)
            guard let signals = try? blocked.descriptor() else { return nil }
            var waiting = PollSet([signals, files.socket] + files.watched, for: .readable)
            guard (try? waiting.wait()) != nil, waiting[0].contains(.readable) else { return nil }
            return BlockedSignals.next(signals)
        }
    #endif

    // MARK: Afterwards

    /// What was left to a process that has rested.
    package static func left(
        _ environment: [String: String]
    ) -> (socket: Descriptor, memory: Descriptor)? {
        let words = (environment[variable] ?? "").split(separator: " ").map { Int32($0) }
        guard words.count == 2, let socket = words[0], let memory = words[1],
            min(socket, memory) > Descriptor.standardError.rawValue
        else { return nil }
        ProcessEnvironment.set(variable, to: nil)
        let files = (socket: Descriptor(rawValue: socket), memory: Descriptor(rawValue: memory))
        files.socket.isInherited = false
        files.memory.isInherited = false
        return files
    }
}
