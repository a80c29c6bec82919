// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// `gatehouse security-key …` against a software key on a pty, by scripts.
    @Suite("The security-key command") struct SecurityKeyCommandStory {
        @Test("a key is listed, told about, and gets a PIN that is asked for from then on")
        func pin() async throws {
            let key = try await EmulatedKey()
            let list = try await key.command("list", "--json")
            #expect(list.status == 0, "\(list.errors)")
            #expect(try JSON(parsing: Array(list.output.utf8))[0]["device"].string == key.device)
            #expect(
                try JSON(parsing: Array(list.output.utf8))[0]["versions"].array?.contains(
                    .string("FIDO_2_1")) == true)
            let info = try await key.command("info")
            #expect(info.output.contains("not set"), "\(info.output)\(info.errors)")

            let set = try await key.command("set-pin", newPIN: "2580")
            #expect(set.status == 0, "\(set.errors)")
            let again = try await key.command("set-pin", newPIN: "2580")
            #expect(again.status == 1 && again.errors.contains("change-pin"))
            let wrong = try await key.command("change-pin", pin: "0000", newPIN: "1470")
            #expect(wrong.status == 1 && wrong.errors.contains("7 tries are left"), "\(wrong)")
            let changed = try await key.command("change-pin", pin: "2580", newPIN: "1470")
            #expect(changed.status == 0, "\(changed.errors)")
            let after = try await key.command("info", "--json")
            #expect(
                try JSON(parsing: Array(after.output.utf8))["options"]["clientPin"] == .bool(true))
            #expect(try JSON(parsing: Array(after.output.utf8))["pinTriesLeft"].int == 8)

            let none = try await key.command("credentials", "list")
            #expect(none.status == 1 && none.errors.contains("--pin-file"), "\(none)")
            let short = try await key.command("change-pin", pin: "1470", newPIN: "12")
            #expect(short.status == 1 && short.errors.contains("at least"), "\(short)")
            try await key.stop()
        }

        @Test("what destroys asks, and says what; a script must say --yes")
        func reset() async throws {
            let key = try await EmulatedKey()
            _ = try await key.command("set-pin", newPIN: "2580")
            let asked = try await key.command("reset")
            #expect(asked.status == 2, "\(asked)")
            #expect(asked.errors.contains("every credential, the PIN and the fingerprints"))
            let fresh = try await key.restarted()
            let done = try await fresh.command("reset", "--yes")
            #expect(done.status == 0, "\(done.errors)")
            let info = try await fresh.command("info")
            #expect(info.output.contains("not set"))
            try await fresh.stop()
        }

        @Test("a key that is not there, and a wrong store, are told in a sentence")
        func absent() async throws {
            for path in ["/nowhere/key", "/etc/passwd", "/etc"] {
                let info = try await Command.gatehouse("security-key", "info", "--device", path)
                #expect(info.status == 1)
                #expect(info.errors.contains("no security key at \(path)"), "\(info)")
            }
            let empty = try await Command.gatehouse("security-key", "info", "--device", "")
            #expect(empty.status == 2, "\(empty)")
            let folder = try TemporaryDirectory()
            try folder.write("this is no store", to: "key.ghsk")
            let store = try await Command.gatehouse(
                "security-key", "emulate", "--store", folder.file("key.ghsk").path())
            #expect(store.status == 1 && store.errors.contains("not a store"), "\(store)")
        }

        @Test("a store is one process's at a time, and stopping is a good end")
        func oneOwner() async throws {
            let folder = try TemporaryDirectory()
            let key = try await EmulatedKey(folder)
            let second = try await Command.gatehouse(
                "security-key", "emulate", "--store", folder.file("key.ghsk").path())
            #expect(second.status == 1 && second.errors.contains("another process"), "\(second)")
            #expect(try await key.child.stop() == 0)
        }
    }
}
