// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The tokens of the person at this terminal, in `DIRECTORY/tokens.json`, mode 0600.
///
/// The file is replaced in one step, so a reader sees the old or the new; who changes it holds the
/// lock, so two processes never refresh at once.
package struct TokenFile: Sendable {
    private let directory: String
    private var path: String { "\(directory)/tokens.json" }
    /// Longest file that is read, in bytes.
    private static let greatestLength = 1_048_576

    package init(directory: String) { self.directory = directory }

    /// `$XDG_STATE_HOME/gatehouse`, or `~/.local/state/gatehouse` (XDG Base Directory 0.8).
    package static func standardDirectory(_ environment: [String: String]) -> String? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return "\(state)/gatehouse"
        }
        return environment["HOME"].map { "\($0)/.local/state/gatehouse" }
    }

    /// The tokens of `issuer`, or those of the last sign-in.
    package func read(issuer: String?) throws -> TokenSet? {
        let (current, sessions) = try load()
        return sessions.first { $0.issuer == issuer ?? current }
    }

    /// Runs `body` while no other process changes the file. What it returns replaces the tokens
    /// of `issuer`; `nil` removes them.
    package func update(
        issuer: String, _ body: (TokenSet?) async throws -> TokenSet?
    ) async throws {
        try makeDirectory()
        let lock = try await FileLock.acquire("\(directory)/tokens.lock")
        defer { lock.release() }
        let (current, sessions) = try load()
        let updated = try await body(sessions.first { $0.issuer == issuer })
        let others = sessions.filter { $0.issuer != issuer }
        let next = updated == nil ? (current == issuer ? others.last?.issuer : current) : issuer
        try save(current: next, others + (updated.map { [$0] } ?? []))
    }

    private func load() throws(UserClientError) -> (current: String?, sessions: [TokenSet]) {
        guard let bytes = try content() else { return (nil, []) }
        guard
            let object = try? JSONParser.parseObject(bytes, maximumBytes: Self.greatestLength),
            let sessions = object["sessions"]?.array
        else { throw .file("\(path) is damaged; remove it and sign in again") }
        return (object["current"]?.string, sessions.compactMap { TokenSet($0) })
    }

    private func save(current: String?, _ sessions: [TokenSet]) throws(UserClientError) {
        var object = JSONObject()
        object["current"] = current.map { .string($0) }
        object["sessions"] = .array(sessions.map(\.json))
        try replace(object.bytes)
    }

    private func makeDirectory() throws(UserClientError) {
        var made = ""
        for part in directory.split(separator: "/") {
            made += "/\(part)"
            if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EISDIR, errno != EROFS,
                errno != EACCES
            {
                throw failure("cannot be made", made)
            }
        }
        guard access(directory, W_OK) == 0 else { throw failure("cannot be written", directory) }
    }

    private func content() throws(UserClientError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("cannot be read", path)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.greatestLength)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Self.again {
                    systemRead(
                        descriptor, buffer.baseAddress?.advanced(by: length), buffer.count - length)
                }
            }
            guard count >= 0 else { throw failure("cannot be read", path) }
            if count == 0 { break }
            length += count
        }
        return Array(bytes.prefix(length))
    }

    private func replace(_ bytes: [UInt8]) throws(UserClientError) {
        let draft = "\(path).\(Base64URL.encode(SystemRandomSource().bytes(9)))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("cannot be written", path) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                Self.again { systemWrite(descriptor, buffer.baseAddress, buffer.count) }
            }
            guard count > 0 else { throw abandon(draft) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw abandon(draft) }
    }

    private func abandon(_ draft: String) -> UserClientError {
        let error = failure("cannot be written", path)
        unlink(draft)
        return error
    }

    private func failure(_ what: String, _ path: String) -> UserClientError {
        .file("\(path) \(what): \(String(cString: strerror(errno)))")
    }

    private static func again(_ call: () -> Int) -> Int {
        while true {
            let count = call()
            if count >= 0 || errno != EINTR { return count }
        }
    }
}

private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = {
    read($0, $1, $2)
}

private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
