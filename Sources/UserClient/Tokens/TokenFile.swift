// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The tokens of the person at this terminal, in `DIRECTORY/tokens.json`, mode 0600.
///
/// The file is replaced atomically, so a reader sees the old or the new content. Writers hold the
/// lock, so two processes never refresh at once.
package struct TokenFile: Sendable {
    private let folder: OwnerOnlyDirectory
    private static let name = "tokens.json"

    package init(directory: String) { folder = OwnerOnlyDirectory(directory) }

    /// `$XDG_STATE_HOME/gatehouse`, or `~/.local/state/gatehouse` (XDG Base Directory 0.8).
    package static func standardDirectory(_ environment: [String: String]) -> String? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return "\(state)/gatehouse"
        }
        return environment["HOME"].map { "\($0)/.local/state/gatehouse" }
    }

    /// Returns the tokens of `issuer`, or those of the last sign-in.
    package func read(issuer: String?) throws -> TokenSet? {
        let (current, sessions) = try load()
        return sessions.first { $0.issuer == issuer ?? current }
    }

    /// Runs `body` with the lock. Its result replaces the tokens of `issuer`; `nil` deletes them.
    package func update(
        issuer: String, _ body: (TokenSet?) async throws -> TokenSet?
    ) async throws {
        try folder.make()
        let lock = try await folder.lock("tokens.lock")
        let (current, sessions) = try load()
        let updated = try await body(sessions.first { $0.issuer == issuer })
        let others = sessions.filter { $0.issuer != issuer }
        let next = updated == nil ? (current == issuer ? others.last?.issuer : current) : issuer
        try save(current: next, others + (updated.map { [$0] } ?? []))
        _ = consume lock
    }

    private func load() throws(UserClientError) -> (current: String?, sessions: [TokenSet]) {
        guard let bytes = try folder.read(Self.name) else { return (nil, []) }
        guard
            let object = try? JSONParser.parseObject(
                bytes, maximumBytes: OwnerOnlyDirectory.greatestLength),
            let sessions = object["sessions"]?.array
        else {
            throw .file(
                "\(folder.path(of: Self.name)) is damaged; remove it and sign in again")
        }
        return (object["current"]?.string, sessions.compactMap { TokenSet($0) })
    }

    private func save(current: String?, _ sessions: [TokenSet]) throws(UserClientError) {
        var object = JSONObject()
        object["current"] = current.map { .string($0) }
        object["sessions"] = .array(sessions.map(\.json))
        try folder.replace(Self.name, with: object.bytes)
    }
}
