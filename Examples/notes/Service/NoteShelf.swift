// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Synchronization

/// One file of notes for each person.
final class NoteShelf: Sendable {
    private let directory: String
    /// Two who add at once add one after the other.
    private let turn = Mutex(())

    init(directory: String) { self.directory = directory }

    /// Named by a hash: an identifier comes from outside, and a file's name must not.
    private func file(_ person: String) -> URL {
        let name = SHA256.hash(data: Data(person.utf8)).map { String(format: "%02x", $0) }.joined()
        return URL(filePath: directory).appending(path: "\(name).json")
    }

    func lines(of person: String) throws -> [String] {
        let file = file(person)
        guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
            return []
        }
        return try JSONDecoder().decode([String].self, from: Data(contentsOf: file))
    }

    func add(_ lines: [String], of person: String) throws {
        try turn.withLock { _ in
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true)
            let all = try self.lines(of: person) + lines
            try JSONEncoder().encode(all).write(to: file(person), options: .atomic)
        }
    }
}
