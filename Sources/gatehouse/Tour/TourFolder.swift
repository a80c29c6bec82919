// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A temporary directory for the files of the tour. Only its user can read it, and the tour deletes
/// it.
struct TourFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "gatehouse-tour-\(UUID().uuidString.prefix(8).lowercased())")
        try Self.make(url)
    }

    var path: String { Self.path(url) }

    func path(_ name: String) -> String { Self.path(url.appending(path: name)) }

    func makeFolder(_ name: String) throws { try Self.make(url.appending(path: name)) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: url.appending(path: name))
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    private static func make(_ url: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw CommandError("\(path(url)) cannot be made; TMPDIR says where it may be") }
    }

    private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }
}
