// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CommandLineSupport
import Foundation
import Support
import Testing

@testable import gatehouse

/// Settings whose form is right, and whose value is not: that shows when a server starts with it.
@Suite(.timeLimit(.minutes(2)))
struct TriedSettingTests {
    /// How a setting is set.
    enum Way: CaseIterable, Sendable { case file, variable, flag }

    /// A setting, its value, and what else must be set. A value with a dot is the name of a file in ``folder``.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let setting: String
        let value: String
        var others: [String: String] = [:]

        var testDescription: String { "\(setting): \(value)" }
    }

    /// `none.*` is missing; `text.*` and `empty.*` are there, and of no use.
    static let mistakes = [
        Mistake(setting: "data-dir", value: "text.pem"),
        Mistake(setting: "master-key-file", value: "text.pem"),
        Mistake(setting: "master-key-passphrase-file", value: "none.txt"),
        Mistake(setting: "master-key-passphrase-file", value: "empty.crl"),
        Mistake(
            setting: "master-key-pkcs11-module", value: "none.so",
            others: ["master-key-pin-file": "text.pem"]),
        Mistake(setting: "master-key-token", value: "gatehouse"),
        Mistake(
            setting: "master-key-pin-file", value: "none.pem",
            others: ["master-key-pkcs11-module": "text.pem"]),
        Mistake(
            setting: "tls-certificate", value: "none.pem", others: ["tls-key": "text.pem"]),
        Mistake(
            setting: "tls-certificate", value: "text.pem", others: ["tls-key": "text.pem"]),
        Mistake(
            setting: "tls-key", value: "none.pem", others: ["tls-certificate": "text.pem"]),
        Mistake(
            setting: "tls-key", value: "text.pem", others: ["tls-certificate": "root.pem"]),
        Mistake(
            setting: "profile-certificate", value: "none.pem",
            others: ["profile-key": "text.pem"]),
        Mistake(
            setting: "profile-certificate", value: "text.pem",
            others: ["profile-key": "text.pem"]),
        Mistake(
            setting: "profile-key", value: "none.pem",
            others: ["profile-certificate": "root.pem"]),
        Mistake(
            setting: "profile-key", value: "text.pem",
            others: ["profile-certificate": "root.pem"]),
        Mistake(
            setting: "metadata-root", value: "none.pem", others: ["metadata": "blob.jwt"]),
        Mistake(
            setting: "metadata-root", value: "text.pem", others: ["metadata": "blob.jwt"]),
        Mistake(
            setting: "metadata-crl", value: "none.crl",
            others: ["metadata": "blob.jwt", "metadata-root": "root.pem"]),
        Mistake(
            setting: "metadata-crl", value: "empty.crl",
            others: ["metadata": "blob.jwt", "metadata-root": "root.pem"]),
        Mistake(setting: "apply", value: "none.yaml"),
        Mistake(
            setting: "fido-conformance", value: "true", others: ["environment": "production"]),
    ]

    private let folder = TestFolder()

    init() throws {
        try write("text.pem", "neither key nor certificate\n")
        try write("empty.crl", "")
        let root = Data(try AttestationAuthority().root.der).base64EncodedString(
            options: .lineLength64Characters)
        try write("root.pem", "-----BEGIN CERTIFICATE-----\n\(root)\n-----END CERTIFICATE-----\n")
    }

    @Test(
        "a value that cannot be used ends the start with file and line, variable or flag",
        arguments: mistakes, Way.allCases)
    func place(_ mistake: Mistake, _ way: Way) async throws {
        let complaint = try await complaint(about: mistake, way)
        let expected =
            switch way {
            // The last line; the value begins after the key.
            case .file:
                "\(folder.path("g.yaml")):\(lines(of: mistake).count + 1):\(mistake.setting.count + 3): "
            case .variable:
                "GATEHOUSE_\(mistake.setting.uppercased().replacing("-", with: "_")): "
            case .flag: "--\(mistake.setting): "
            }
        #expect(complaint.hasPrefix(expected), "\(complaint)")
        if mistake.value.contains(".") {
            #expect(complaint.contains(folder.path(mistake.value)), "\(complaint)")
        }
    }

    @Test("what is wrong in a state file has its own file and line, not those of the setting")
    func stateFile() async throws {
        try write("state.yaml", "projects:\n  - nam: qa\n")
        let complaint = try await complaint(
            about: Mistake(setting: "apply", value: "state.yaml"), .file)
        #expect(complaint.hasPrefix("\(folder.path("state.yaml")):2:"), "\(complaint)")
    }

    @Test("where nothing is set, the setting that has the default is named")
    func defaults() throws {
        let origins = SettingOrigins(try SettingValues(flags: [:], environment: [:], file: nil))
        let error = origins.placed(CommandError("x is gone", setting: "master-key-file"))
        #expect("\(error)" == "master-key-file: x is gone")
        #expect("\(origins.placed(CommandError("x is gone")))" == "x is gone")
    }

    // MARK: Around the tests

    private func complaint(about mistake: Mistake, _ way: Way) async throws -> String {
        var lines = lines(of: mistake)
        let value = path(mistake.value)
        if way == .file { lines.append("\(mistake.setting): \(value)") }
        try write("g.yaml", lines.map { $0 + "\n" }.joined())
        let variable = "GATEHOUSE_" + mistake.setting.uppercased().replacing("-", with: "_")
        let loader = ConfigurationLoader(
            flags: way == .flag ? [mistake.setting: [value]] : [:], path: folder.path("g.yaml"),
            environment: way == .variable ? [variable: value] : [:])
        let (configuration, _) = try loader.load()
        let error = await #expect(throws: (any Error).self) {
            try await ProviderProcess(configuration, loader: loader).run()
        }
        return error.map { "\($0)" } ?? ""
    }

    /// Returns the other settings, one per line.
    private func lines(of mistake: Mistake) -> [String] {
        var settings = mistake.others.mapValues(path)
        settings["listen"] = "127.0.0.1:0"
        settings["log-level"] = "error"
        if mistake.setting != "data-dir" { settings["data-dir"] = folder.path("data") }
        return settings.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    }

    private func path(_ value: String) -> String {
        value.contains(".") ? folder.path(value) : value
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
    }
}
