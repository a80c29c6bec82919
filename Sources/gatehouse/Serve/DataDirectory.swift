// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import JOSE
import Platform
import Primitives

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
        guard (try? FileStatus(path))?.kind == .directory else {
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
            "url": .string(url), "issuer": .string(issuer),
            "pid": .integer(Int64(CurrentProcess.id)),
        ]
        try SecretFile.replace(server, content.bytes + [UInt8(ascii: "\n")])
    }

    /// The token that is there, or a new one.
    func adminToken(orNew token: Secret) throws(FileError) -> Secret {
        let content = try SecretFile.create(adminToken, token.reveal() + [UInt8(ascii: "\n")])
        return Secret(content.trimmedLine)
    }

    // MARK: Lock

    /// The lock of the process that uses the directory alone; `nil` if another one holds it.
    func lock() throws(FileError) -> FileLock? {
        do throws(PlatformError) { return try FileLock.acquireIfFree(lockFile) } catch {
            throw FileError("cannot be opened", lockFile, code: error.code)
        }
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
