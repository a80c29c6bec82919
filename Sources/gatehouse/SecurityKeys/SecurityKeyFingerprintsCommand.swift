// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import CommandLineSupport
import JOSE
import Primitives

/// `gatehouse security-key fingerprints`
struct SecurityKeyFingerprintsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fingerprints",
        abstract: "Manage the fingerprints of a key.",
        discussion: "Example: gatehouse security-key fingerprints add --name 'left thumb'",
        subcommands: [List.self, Add.self, Rename.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the fingerprints.",
            discussion: "Example: gatehouse security-key fingerprints list")
        @OptionGroup var key: SecurityKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let fingers = try await key.administer(.manageFingerprints) {
                (administration, _) async throws(SecurityKeyError) in
                try await administration.fingerprints()
            }
            print(output.json ? JSONValue.array(fingers.map(\.json)).text : Self.table(fingers))
        }

        private static func table(_ fingers: [FingerprintTemplate]) -> String {
            guard !fingers.isEmpty else { return "No finger is enrolled." }
            var table = TextTable(["id", "name"])
            for finger in fingers { table.add([finger.shown, finger.name]) }
            return table.text
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a fingerprint.",
            discussion: "Example: gatehouse security-key fingerprints add --name thumb")
        @Option(help: "Name.")
        var name: String?
        @OptionGroup var key: SecurityKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let name = name
            let finger = try await key.administer(.enrollFingerprint) {
                (administration, _) async throws(SecurityKeyError) in
                try await administration.enrolFingerprint(name: name)
            }
            print(output.json ? finger.json.text : "Enrolled \(finger.shown) (\(finger.name)).")
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Rename a fingerprint.",
            discussion: "Example: gatehouse security-key fingerprints rename 01 thumb")
        @Argument(help: "The id, as `list` shows it.")
        var id: String
        @Argument(help: "The new name.")
        var name: String
        @OptionGroup var key: SecurityKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let (id, name) = (id, name)
            try await key.administer(.manageFingerprints) {
                (administration, _) async throws(SecurityKeyError) in
                let finger = try FingerprintTemplate.find(
                    id, in: try await administration.fingerprints())
                try await administration.renameFingerprint(finger.id, to: name)
            }
            Outcome.report("Renamed.", ["renamed": .string(id)], output)
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a fingerprint.",
            discussion: "Example: gatehouse security-key fingerprints delete 01")
        @Argument(help: "The id, as `list` shows it.")
        var id: String
        @Flag(help: "Skip the confirmation.")
        var yes = false
        @OptionGroup var key: SecurityKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let (id, yes) = (id, yes)
            try await key.administer(.manageFingerprints) {
                (administration, person) async throws(SecurityKeyError) in
                let finger = try FingerprintTemplate.find(
                    id, in: try await administration.fingerprints())
                try await person.confirm("the fingerprint \(finger.name)", isAgreed: yes)
                try await administration.removeFingerprint(finger)
            }
            Outcome.report("The finger is forgotten.", ["deleted": .string(id)], output)
        }
    }
}

extension FingerprintTemplate {
    /// The id in hexadecimal digits, so that no command takes it for an option.
    fileprivate var shown: String { Hexadecimal.encode(id) }
    fileprivate var name: String { (friendlyName ?? "without a name").withoutControls }

    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["id"] = .string(shown)
        object["name"] = friendlyName.map { .string($0) }
        return .object(object)
    }

    fileprivate static func find(
        _ id: String, in fingers: [Self]
    ) throws(SecurityKeyError) -> Self {
        guard let finger = fingers.first(where: { $0.shown == id }) else {
            throw .unsupported("a finger with this id")
        }
        return finger
    }
}
