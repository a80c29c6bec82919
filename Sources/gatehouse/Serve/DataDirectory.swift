// SPDX-License-Identifier: Apache-2.0
import JOSE
import Platform
import Primitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where a provider keeps what is its own: the database, the master key, the admin token.
struct DataDirectory: Sendable {
    let path: String

    var masterKey: String { "\(path)/master.key" }
    var adminToken: String { "\(path)/admin.token" }
    /// The link of the first start, where the log is not read on a terminal.
    static let setUpLink = "setup-link"
    /// Where the running server says how to reach it.
    var server: String { "\(path)/server.json" }
    /// The metadata of authenticators that were taken over last.
    var metadata: String { "\(path)/metadata.jwt" }
    var backups: String { "\(path)/backups" }
    private var lockFile: String { "\(path)/lock" }

    /// Makes the directory, for its owner only, when it is missing.
    static func open(_ path: String) throws(CommandError) -> DataDirectory {
        try makeFolder(path)
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandError("\(path) is not a directory", code: .badInput)
        }
        return DataDirectory(path: path)
    }

    /// Makes the folder for backups, for its owner only, when it is missing.
    func makeBackups() throws(CommandError) -> String {
        try Self.makeFolder(backups)
        return backups
    }

    private static func makeFolder(_ path: String) throws(CommandError) {
        do throws(PlatformError) {
            try DurableFile.makeFolder(path)
        } catch {
            throw CommandError("\(FileError("cannot be made", path, code: error.code))")
        }
    }

    /// What the running server wrote, or `nil` when none ever ran here.
    func readServer() throws -> String? {
        guard let content = try SecretFile.read(server) else { return nil }
        return try JSONParser.parseObject(content, maximumBytes: 65_536)["url"]?.string
    }

    func writeServer(url: String, issuer: String) throws(FileError) {
        let content: JSONValue = [
            "url": .string(url), "issuer": .string(issuer), "pid": .integer(Int64(getpid())),
        ]
        try SecretFile.replace(server, content.bytes + [UInt8(ascii: "\n")])
    }

    /// The token that is there, or a new one.
    func adminToken(orNew token: Secret) throws(FileError) -> Secret {
        let content = try SecretFile.create(adminToken, token.reveal() + [UInt8(ascii: "\n")])
        return Secret(content.trimmedLine)
    }

    // MARK: Lock

    /// Held by who uses the directory alone; the system gives it back when the process ends,
    /// however it ends.
    struct Lock: ~Copyable {
        fileprivate let descriptor: Int32

        deinit { close(descriptor) }
    }

    /// `nil` when another process holds it.
    func lock() throws(FileError) -> Lock? {
        let descriptor = Self.openFile(lockFile)
        guard descriptor >= 0 else { throw FileError("cannot be opened", lockFile) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return Lock(descriptor: descriptor)
    }

    private static func openFile(_ path: String) -> Int32 {
        #if canImport(Glibc)
            Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #elseif canImport(Musl)
            Musl.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #else
            Darwin.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #endif
    }
}

extension [UInt8] {
    /// Without white space at both ends, as people's editors leave it.
    var trimmedLine: [UInt8] {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let first = firstIndex(where: { !isBlank($0) }),
            let last = lastIndex(where: { !isBlank($0) })
        else { return [] }
        return Array(self[first...last])
    }
}
