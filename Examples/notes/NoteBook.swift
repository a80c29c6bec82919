// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

/// One file of lines for each person.
struct NoteBook {
    let directory: String

    private func file(_ profile: Profile) -> URL {
        URL(filePath: directory).appending(path: "notes-\(profile.id.rawValue).txt")
    }

    func lines(of profile: Profile) -> [String] {
        let text = (try? String(contentsOf: file(profile), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    func add(_ line: String, of profile: Profile) throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let text = (lines(of: profile) + [line]).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: file(profile), options: .atomic)
    }
}

extension NotesApp {
    /// Whoever is signed in, by the provider's word and not by a file's.
    private func owner() async throws -> Profile {
        let session = try await client.session()
        _ = try await session.accessToken()
        return session.profile
    }

    func add(_ text: String) async throws {
        try book.add(text, of: try await owner())
        print("Noted.")
    }

    func list() async throws {
        for line in book.lines(of: try await owner()) { print(line) }
    }
}
