// SPDX-License-Identifier: Apache-2.0
package import AgentWaiting
package import Primitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What remains of an agent that rests.
package struct AgentRest: Sendable, Equatable {
    package let memory: AgentMemory
    /// When it has something to do; `nil` for never.
    package let wake: Timestamp?

    /// This process becomes the one that waits.
    ///
    /// - Parameters:
    ///   - file: the state, which stays locked.
    ///   - profiles: the folders where profiles come and go; the first has to be there.
    ///   - path: of the socket, where it is the agent's to remove.
    ///   - program: the agent's own.
    /// - Throws: when it cannot be; the agent goes on.
    package func begin(
        socket: Int32, file: StateFile, profiles: [String], path: String, clock: any WallClock,
        program: String, arguments: [String]
    ) throws(RestError) -> Never {
        var files = RestingDescriptors(
            socket: socket, memory: try memory.pipe(), lock: file.lock, path: path)
        do throws(RestError) {
            files.watched = [AgentWaiter.watch(profiles)].compactMap(\.self)
            if let wake {
                let left = max((wake - clock.now).milliseconds, 1000)
                files.watched += try AgentWaiter.timers(at: wake.milliseconds, in: left)
            }
            try AgentWaiter.begin(files, agent: program, arguments: arguments)
        } catch {
            for file in files.watched + [files.memory] { close(file) }
            throw error
        }
    }
}
