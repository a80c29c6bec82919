// SPDX-License-Identifier: Apache-2.0
package import AgentWaiting
package import Platform
package import Primitives

/// What remains of an agent that rests.
package struct IdleProcess: Sendable, Equatable {
    package let memory: IdleProcessState
    /// When it has something to do; `nil` for never.
    package let wake: Timestamp?

    /// This process becomes the one that waits.
    ///
    /// - Parameters:
    ///   - file: the state, which stays locked.
    ///   - profiles: can be read when they have changed (``ProfileFolder/watch()``). It is closed where the
    ///     agent goes on.
    ///   - path: of the socket, where it is the agent's to remove.
    ///   - program: the agent's own.
    /// - Throws: when it cannot be; the agent goes on.
    package func begin(
        socket: Descriptor, file: StateFile, profiles: Descriptor?, path: String,
        clock: any WallClock,
        program: String, arguments: [String]
    ) throws(IdleProcessError) -> Never {
        var files = RestingDescriptors(
            socket: socket, memory: Descriptor(rawValue: -1), lock: file.lock.descriptor,
            watched: [profiles].compactMap(\.self),
            path: path)
        do throws(IdleProcessError) {
            files.memory = try memory.pipe()
            if let wake {
                let left = max((wake - clock.now).milliseconds, 1000)
                files.watched += try AgentWaiter.timers(at: wake.milliseconds, in: left)
            }
            try AgentWaiter.begin(files, agent: program, arguments: arguments)
        } catch {
            for file in files.watched + [files.memory] where file.rawValue >= 0 { file.close() }
            throw error
        }
    }
}

extension ProfileFolder {
    /// Returns a descriptor that becomes readable when a profile is added, removed or changed;
    /// `nil` if the system does not support it.
    package func watch() -> Descriptor? {
        while true {
            let folders = folders
            guard let file = AgentWaiter.watch(folders) else { return nil }
            // One that came between the two looks is watched as well.
            if self.folders == folders { return file }
            file.close()
        }
    }
}
