// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// `gatehouse security-key fingerprints …`, `large-blobs …` and `emulate --socket`, where they
    /// succeed; what they refuse too.
    @Suite("What is on a security key") struct SecurityKeyContentStory {
        private static let pin = "2580"

        private func json(_ outcome: Command.Outcome) throws -> JSON {
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try JSON(parsing: Array(outcome.output.utf8))
        }

        @Test("fingers are enrolled, listed, renamed and forgotten")
        func fingerprints() async throws {
            let key = try await EmulatedKey(options: ["--fingerprint-sensor"])
            let set = try await key.command("set-pin", newPIN: Self.pin)
            #expect(set.status == 0, "\(set.errors)")
            let none = try await key.command("fingerprints", "list", pin: Self.pin)
            #expect(none.output.contains("No finger is enrolled."), "\(none)")

            let added = try json(
                await key.command(
                    "fingerprints", "add", "--name", "left thumb", "--json", pin: Self.pin))
            let id = try #require(added["id"].string)
            #expect(added["name"].string == "left thumb")
            let renamed = try await key.command(
                "fingerprints", "rename", id, "thumb", pin: Self.pin)
            #expect(renamed.status == 0 && renamed.errors.contains("Renamed."), "\(renamed)")
            let list = try json(
                await key.command("fingerprints", "list", "--json", pin: Self.pin))
            #expect(list.array?.count == 1)
            #expect(list[0]["id"].string == id && list[0]["name"].string == "thumb")

            let unknown = try await key.command(
                "fingerprints", "delete", "0000", "--yes", pin: Self.pin)
            #expect(unknown.status == 1, "\(unknown)")
            let asked = try await key.command("fingerprints", "delete", id, pin: Self.pin)
            #expect(asked.status == 2 && asked.errors.contains("thumb"), "\(asked)")
            let deleted = try await key.command(
                "fingerprints", "delete", id, "--yes", pin: Self.pin)
            #expect(deleted.status == 0, "\(deleted.errors)")
            let after = try json(
                await key.command("fingerprints", "list", "--json", pin: Self.pin))
            #expect(after.array?.isEmpty == true)
            try await key.stop()
        }

        @Test(
            "a large blob is written to a passkey, listed, read, replaced and removed",
            .enabled(
                if: Repository.path(of: "fido2-cred") != nil, "fido2-tools are not installed"))
        func largeBlobs() async throws {
            let folder = try TemporaryDirectory()
            let key = try await EmulatedKey()
            _ = try await key.command("set-pin", newPIN: Self.pin)
            let none = try await key.command("large-blobs", "list", pin: Self.pin)
            #expect(none.status == 0, "\(none.errors)")
            try await makeCredential(on: key, folder)

            let credentials = try json(
                await key.command("credentials", "list", "--json", pin: Self.pin))
            let id = try #require(credentials[0]["id"].string)
            // A hyphen in front would begin an option.
            let name = String(id.drop { $0 == "-" })
            let content = String(repeating: "a certificate, perhaps. ", count: 100)
            try folder.write(content, to: "blob")
            let file = folder.file("blob").path()
            let written = try json(
                await key.command("large-blobs", "set", name, file, "--json", pin: Self.pin))
            #expect(written["written"].int == content.utf8.count)
            let list = try json(await key.command("large-blobs", "list", "--json", pin: Self.pin))
            #expect(list[0]["id"].string == id && list[0]["rpId"].string == "example.com")
            #expect(list[0]["bytes"].int == content.utf8.count)
            let read = try await key.command("large-blobs", "get", name, pin: Self.pin)
            #expect(read.output == content, "\(read.errors)")

            try folder.write("short", to: "blob")
            let asked = try await key.command("large-blobs", "set", name, file, pin: Self.pin)
            #expect(asked.status == 2 && asked.errors.contains("example.com"), "\(asked)")
            let replaced = try await key.command(
                "large-blobs", "set", name, file, "--yes", pin: Self.pin)
            #expect(replaced.status == 0, "\(replaced.errors)")
            let short = try await key.command("large-blobs", "get", name, pin: Self.pin)
            #expect(short.output == "short")
            let unasked = try await key.command("large-blobs", "delete", name, pin: Self.pin)
            #expect(unasked.status == 2 && unasked.errors.contains("5 bytes"), "\(unasked)")
            let deleted = try await key.command(
                "large-blobs", "delete", name, "--yes", pin: Self.pin)
            #expect(deleted.status == 0, "\(deleted.errors)")
            let gone = try await key.command("large-blobs", "get", name, pin: Self.pin)
            #expect(gone.status == 1 && gone.errors.contains("no data"), "\(gone)")
            try await key.stop()
        }

        /// A discoverable credential with a large-blob key, by Debian's fido2-cred.
        private func makeCredential(on key: EmulatedKey, _ folder: TemporaryDirectory) async throws
        {
            let hash = Data(repeating: 7, count: 32).base64EncodedString()
            let user = Data([1, 2, 3]).base64EncodedString()
            try folder.write("\(hash)\nexample.com\nanna\n\(user)\n", to: "parameters")
            let program = try #require(Repository.path(of: "fido2-cred"))
            // Without a terminal the PIN is read from the input. The shell leads the session, so
            // that the key's pty does not become the program's terminal.
            let made = try await Command.run(
                EmulatedKey.setsid,
                [
                    "/bin/sh", "-c", "\"$@\"; exit $?", "sh", program.path(), "-M", "-r", "-b",
                    "-i",
                    folder.file("parameters").path(), "-o", folder.file("credential").path(),
                    key.device,
                ], input: Self.pin + "\n")
            try #require(made.status == 0, "\(made.errors)")
        }

        @Test("a key listens on a socket, for its owner only, and takes the path with it")
        func socket() async throws {
            let folder = try TemporaryDirectory()
            let path = folder.file("key.socket").path()
            let key = try await EmulatedKey(options: ["--socket", path])
            #expect(key.device == path)
            let info = try await key.command("info")
            #expect(info.status == 0 && info.output.contains("FIDO_2_1"), "\(info)")
            let second = try await Command.gatehouse(
                "security-key", "emulate", "--store", folder.file("other.ghsk").path(), "--socket",
                path)
            #expect(second.status == 1 && second.errors.contains("already"), "\(second)")
            try await key.stop()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
}
