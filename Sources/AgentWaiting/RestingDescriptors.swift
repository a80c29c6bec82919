// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files that an agent leaves open while it rests, as words of a command line.
package struct RestingDescriptors: Sendable, Equatable {
    /// The socket of the agent: connections wait in it.
    package var socket: Int32
    /// What only its memory held, to be read once.
    package var memory: Int32
    /// The lock on the state: no other agent runs while it is locked.
    package var lock: Int32
    /// Profiles and times: any of them ends the rest when it can be read.
    package var watched: [Int32]
    /// The path that is removed at the end; empty if another program owns the socket.
    package var path: String

    package init(
        socket: Int32, memory: Int32, lock: Int32, watched: [Int32] = [], path: String = ""
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
            "\(socket)", "\(memory)", "\(lock)", watched.map(String.init).joined(separator: ","),
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
        guard files.count == watched.count,
            ([socket, memory, lock] + files).allSatisfy({ $0 > STDERR_FILENO })
        else { return nil }
        self.init(socket: socket, memory: memory, lock: lock, watched: files, path: words[4])
    }

    /// Has these outlive the program that is about to take this one's place, and nothing else but the
    /// standard streams.
    package func keepAlone() throws(IdleProcessError) {
        let kept = [socket, memory, lock] + watched
        for file in try Self.open() where file > STDERR_FILENO {
            _ = fcntl(file, F_SETFD, kept.contains(file) ? 0 : FD_CLOEXEC)
        }
    }

    /// The numbers of everything that is open.
    private static func open() throws(IdleProcessError) -> [Int32] {
        guard let folder = opendir("/proc/self/fd") else { throw .system("opendir", errno) }
        defer { closedir(folder) }
        var files: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let file = Int32(name) { files.append(file) }
        }
        return files
    }
}
