// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Primitives

/// The one secret from which every other is derived. Never in the database.
enum MasterKey {
    /// What the file holds.
    static func read(_ path: String) throws -> Secret? {
        guard let content = try SecretFile.read(path) else { return nil }
        let letters = content.trimmedLine
        guard let bytes = Base64URL.decode(bytes: letters), bytes.count >= 32 else {
            throw CommandError(
                "\(path) is not a master key: it must hold at least 32 bytes in base64url",
                code: .badInput)
        }
        return Secret(bytes)
    }

    /// Makes the file, or takes the one that another process has just made.
    static func create(_ path: String, _ random: some RandomSource) throws -> Secret {
        let text = Base64URL.encodeBytes(random.bytes(32)) + [UInt8(ascii: "\n")]
        _ = try SecretFile.create(path, text)
        guard let key = try read(path) else {
            throw CommandError("\(path) was deleted after it was created")
        }
        return key
    }
}
