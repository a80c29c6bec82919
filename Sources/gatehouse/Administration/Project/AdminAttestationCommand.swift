// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Documents
import JOSE
import ProviderAdministration

/// `gatehouse admin attestation`: the registration methods and the attestation that apps must
/// provide.
struct AdminAttestationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attestation",
        abstract: "Manage the registration methods and the required attestation of apps.",
        discussion: """
            Examples:

              gatehouse admin attestation show apple
              gatehouse admin attestation set methods methods.yaml
              gatehouse admin attestation set apple apple.yaml --device-check-key-file AuthKey.p8
            """,
        subcommands: [Show.self, Set.self])

    enum Part: String, ExpressibleByArgument, CaseIterable, Sendable {
        case methods, apple, android

        var settings: ProjectSettingsGroup {
            switch self {
            case .methods: .registration
            case .apple: .apple
            case .android: .android
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the current settings, without secrets.",
            discussion: "Example: gatehouse admin attestation show android")
        @Argument(help: "methods, apple or android.")
        var part: Part
        @OptionGroup var place: ProjectOptions

        func run() async throws { try await place.show(part.settings.show) }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change the settings that a file contains.",
            discussion: "Example: gatehouse admin attestation set apple apple.yaml")
        @Argument(help: "methods, apple or android.")
        var part: Part
        @Argument(help: "YAML or JSON, as `attestation show` prints it; - is standard input.")
        var file: String?
        @Option(help: "Apple's key for DeviceCheck (.p8).")
        var deviceCheckKeyFile: String?
        @Option(help: "The Play Console's decryption key.")
        var playDecryptionKeyFile: String?
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            var body = try file.map { try DocumentFile.mapping($0) } ?? JSONObject()
            body.set("device_check_key", try text(of: deviceCheckKeyFile))
            body.set("play_decryption_key", try text(of: playDecryptionKeyFile))
            try await place.change(part.settings.put, body: .object(body))
        }

        private func text(of file: String?) throws -> String? {
            try file.map { String(decoding: try DocumentFile.bytes($0).trimmedLine, as: UTF8.self) }
        }
    }
}
