// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

/// Manage signing certificates of Android apps.
struct AdminFingerprintsCommand: AsyncParsableCommand, EntryResource {
    static let command = "fingerprints"
    static let entries = ProjectList.fingerprints
    static let columns = ["package", "owner", "fingerprints"]
    static let listAbstract = "List the Android apps."
    static let showAbstract = "Show the fingerprints of an app."
    static let removeAbstract = "Stop accepting an app's attestations."
    static let nameHelp = "Package name of the app."
    static let example = "com.example.notes"

    static let configuration = CommandConfiguration(
        commandName: command, abstract: "Manage signing certificates of Android apps.",
        discussion: """
            Entries belong to the project and are kept when their owner leaves.

            Example:

              gatehouse admin fingerprints put com.example.notes --owner olga \\
                --fingerprint 9F:86:D0:81:…:0A:08
            """,
        subcommands: [
            ListResources<Self>.self, ShowResource<Self>.self, PutResource<Settings>.self,
            RemoveResource<Self>.self,
        ])

    struct Settings: ResourceSettings {
        typealias Resource = AdminFingerprintsCommand
        static let abstract = "Add an app, or replace its fingerprints."
        static let example = "--fingerprint 9F:86:…:0A:08"

        @Option(help: "SHA-256 of a signing certificate, hexadecimal; repeatable.")
        var fingerprint: [String]
        @Option(help: "Responsible person.")
        var owner: String?

        func body() -> JSONObject {
            var body = JSONObject()
            body.set("fingerprints", fingerprint)
            body.set("owner", owner)
            return body
        }
    }
}
