// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Documents
import Foundation
import Storage
import Testing

@testable import gatehouse

/// A setting of `serve` is one property: its names, its form and its value follow.
@Suite struct ServeOptionsTests {
    @Test("The settings are the properties, by the names of their flags")
    func names() throws {
        #expect(
            Setting.all.map(\.name) == [
                "data-dir", "listen", "issuer", "database", "database-connections",
                "tls-certificate", "tls-key", "profile-certificate", "profile-key", "environment",
                "insecure-http", "demo",
                "management-listen", "log-level", "log-format", "smtp", "smtp-from",
                "argon2-memory", "argon2-iterations", "argon2-lanes", "hash-threads",
                "password-queue", "attempts-per-account", "attempts-per-address",
                "attempts-window", "audit-retention-days", "connections",
                "connections-per-address", "trusted-proxies", "public-metrics", "outgoing-allow",
                "apply", "master-key-file", "master-key-passphrase-file",
                "master-key-pkcs11-module", "master-key-token", "master-key-pin-file",
                "key-rotation-days", "metadata", "metadata-root",
                "metadata-signer",
                "metadata-crl", "metadata-crl-required", "metadata-grace-days",
                "metadata-refresh-minutes", "fido-conformance", "drain-seconds",
            ])
        #expect(Setting.named("argon2-memory")?.variable == "GATEHOUSE_ARGON2_MEMORY")
        #expect(Setting.named("config") == nil)
    }

    @Test("The type of a property is the form of the setting")
    func forms() throws {
        func form(_ name: String) -> Setting.Form? { Setting.named(name)?.form }
        #expect(form("database-connections") == .integer(2...1_000))
        #expect(form("key-rotation-days") == .integer(0...3650))
        #expect(form("argon2-memory") == .integer(8...262_144))
        #expect(form("metadata-grace-days") == .integer(0...3650))
        #expect(form("environment") == .choice(["development", "production"]))
        #expect(
            form("log-level")
                == .choice(["trace", "debug", "info", "notice", "warning", "error"]))
        #expect(form("log-format") == .choice(["auto", "json", "text"]))
        #expect(form("demo") == .flag && form("trusted-proxies") == .list)
        #expect(form("tls-key") == .path && form("listen") == .text)
    }

    @Test("Given flags are listed with their names, absent ones are not")
    func flags() throws {
        let options = try ServeOptions.parse([
            "--data-dir", "x", "--demo", "--trusted-proxies", "10.0.0.1", "--trusted-proxies",
            "10.0.0.2", "--attempts-per-address", "many", "--config", "g.yaml",
            "--master-key-token", "t",
        ])
        #expect(
            options.flags == [
                "data-dir": ["x"], "demo": ["true"], "attempts-per-address": ["many"],
                "trusted-proxies": ["10.0.0.1", "10.0.0.2"], "master-key-token": ["t"],
            ])
        #expect(try ServeOptions.parse([]).flags.isEmpty)
    }

    @Test("A command has the settings of an option group with the names that serve has")
    func group() throws {
        let flags = ["--master-key-file", "key", "--master-key-pkcs11-module", "/m.so"]
        let options = try MasterKeyOptions.parse(flags + ["--data-dir", "d", "--json"])
        #expect(
            options.masterKey.flags == [
                "master-key-file": ["key"], "master-key-pkcs11-module": ["/m.so"],
            ])
        let serve = try ServeOptions.parse(flags)
        #expect(serve.flags == options.masterKey.flags)
        #expect(try MasterKeyOptions.parse([]).masterKey.flags.isEmpty)
    }

    @Test("The configuration has the value of the source that wins, by the name of the property")
    func values() throws {
        let file = """
            demo: true
            hash-threads: 3
            apply: [a.yaml, 'b=c.yaml']
            environment: development
            master-key-file: key
            drain-seconds: 5
            """
        let configuration = try ServeConfiguration(
            SettingValues(
                flags: ["hash-threads": ["4"]],
                environment: ["GATEHOUSE_DEMO": "false", "GATEHOUSE_PUBLIC_METRICS": "true"],
                file: ("g.yaml", try DocumentReader.read(Array(file.utf8)))))
        #expect(!configuration.demo && configuration.publicMetrics)
        #expect(configuration.hashThreads == 4 && configuration.drainSeconds == 5)
        #expect(configuration.apply == ["a.yaml", "b=c.yaml"])
        #expect(configuration.environment == .development)
        #expect(configuration.options.masterKey.masterKeyFile?.text == "key")
        #expect(configuration.dataDirectory == "gatehouse-data")
        let other = try ServeConfiguration(
            SettingValues(flags: [:], environment: [:], file: nil))
        #expect(configuration != other && other == other)
        #expect(other.environment == nil && other.hashThreads == nil && other.logLevel == "info")
    }

    @Test("docs/operating.md has a row for each setting, with the text of its help")
    func documented() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/operating.md").standardizedFileURL
        let table = try #require(
            String(contentsOf: page, encoding: .utf8)
                .firstMatch(of: /drawn by Scripts\/manual.*?\n(.*?)\n<!-- End/.dotMatchesNewlines())
        )
        let rows = table.1.split(separator: "\n").dropFirst(2).map { $0.split(separator: " | ") }
        let help = ServeOptions.helpMessage(columns: 1000)
        try #require(rows.count == Setting.all.count && rows.allSatisfy { $0.count == 5 })
        for (setting, row) in zip(Setting.all, rows) {
            let variable = "`\(setting.variable)`" + (setting.form == .list ? " (commas)" : "")
            #expect(row[0] == "| `\(setting.name)`" && row[1] == variable)
            let meaning = row[4].hasSuffix(" |") ? row[4].dropLast(2) : row[4]
            let isWithoutDefault = row[3] == "none" || setting.form == .flag
            let end = isWithoutDefault ? "" : " (" + row[3].split { " `".contains($0) }[0]
            #expect(help.contains(meaning + end), "make docs: \(setting.name)")
        }
    }
}
