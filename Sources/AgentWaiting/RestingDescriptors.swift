// SPDX-License-Identifier: Apache-2.0
package import Platform

/// The files that an idle agent leaves open, as words of a command line.
package struct RestingDescriptors: Sendable, Equatable {
    /// The socket of the agent: clients that connect wait there.
    package var socket: Descriptor
    /// The agent's volatile state, which can be read once.
    package var memory: Descriptor
    /// The lock on the state: no other agent runs while it is locked.
    package var lock: Descriptor
    /// Profiles and times: the agent resumes when one of them is readable.
    package var watched: [Descriptor]
    /// To be removed at the end; empty if the agent did not create the socket.
    package var path: String

    package init(
        socket: Descriptor, memory: Descriptor, lock: Descriptor, watched: [Descriptor] = [],
        path: String = ""
    ) {
        self.socket = socket
        self.memory = memory
        self.lock = lock
        self.watched = watched
        self.path = path
    }

    package static let wordCount = 5

    package var words: [String] {
        [
            "\(socket.rawValue)", "\(memory.rawValue)", "\(lock.rawValue)",
            watched.map { "\($0.rawValue)" }.joined(separator: ","),
            path,
        ]
    }

    /// `nil` when they are not ``words``.
    package init?(_ words: some Collection<String>) {
        let words = Array(words)
        guard words.count == Self.wordCount, let socket = Int32(words[0]),
            let memory = Int32(words[1]), let lock = Int32(words[2])
        else { return nil }
        let watched = words[3].split(separator: ",").map { Int32($0) }
        let files = watched.compactMap(\.self)
        let numbers = [socket, memory, lock] + files
        guard files.count == watched.count,
            numbers.allSatisfy({ $0 > Descriptor.standardError.rawValue })
        else { return nil }
        let all = numbers.map(Descriptor.init(rawValue:))
        self.init(
            socket: all[0], memory: all[1], lock: all[2], watched: Array(all.dropFirst(3)),
            path: words[4])
    }

    /// Has the next program of this process inherit these and the standard streams, and no others.
    package func keepAlone() throws(IdleProcessError) {
        let kept = [socket, memory, lock] + watched
        let all: [Descriptor]
        do throws(PlatformError) { all = try Descriptor.allOpen() } catch {
            throw IdleProcessError(error)
        }
        for file in all where file.rawValue > Descriptor.standardError.rawValue {
            file.isInherited = kept.contains(file)
        }
    }
}
