// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Documents
import Mail
import Platform
import Primitives
import ProviderCore
import Testing
import UserClient

@testable import gatehouse

@Suite struct SettingValuesTests {
    private func load(
        flags: [String: [String]] = [:], environment: [String: String] = [:], file: String? = nil
    ) throws -> ServeConfiguration {
        let document = try file.map {
            (path: "g.yaml", document: try DocumentReader.read(Array($0.utf8)))
        }
        return try ServeConfiguration(
            SettingValues(flags: flags, environment: environment, file: document))
    }

    private func complaint(
        flags: [String: [String]] = [:], environment: [String: String] = [:], file: String? = nil
    ) -> String {
        do {
            _ = try load(flags: flags, environment: environment, file: file)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test("Without anything said, the defaults hold")
    func defaults() throws {
        let configuration = try load()
        #expect(configuration.listen == .init(host: "127.0.0.1", port: 8080))
        #expect(configuration.issuer == "http://localhost:8080")
        #expect(configuration.database == .sqlite(path: "gatehouse-data/gatehouse.sqlite"))
        #expect(configuration.mail == nil && !configuration.demo)
    }

    @Test(
        "Variables of other commands and of apps are not settings, and are accepted",
        arguments: [
            "AGENT_SOCKET", "AGENT_PIN_FILE", "REGISTRATION_TOKEN", "SECURITY_KEY",
            "SECURITY_KEY_PIN", "SECURITY_KEY_NEW_PIN", "STORE_PASSPHRASE", "PASSKEYS",
            "MASTER_KEY_PASSPHRASE", "MASTER_KEY_PIN", "MASTER_KEY_NEW_PASSPHRASE",
            "PASSKEYS_TPM", "APP_IDENTIFIER", "ASSOCIATED_DOMAINS", "DEVELOPER_MODE", "PASSWORD",
        ])
    func others(_ name: String) throws {
        #expect(complaint(environment: ["GATEHOUSE_" + name: "/run/x"]) == "")
        #expect(
            complaint(environment: ["GATEHOUSE_" + name + "S": "/run/x"]).contains(
                "unknown setting"))
    }

    @Test("Attempt limits have keys, and their own defaults without them")
    func attempts() throws {
        #expect(try load().attempts == AttemptLimits())
        let limits = try load(
            flags: ["attempts-per-account": ["3"]],
            environment: ["GATEHOUSE_ATTEMPTS_PER_ADDRESS": "7"], file: "attempts-window: 60"
        ).attempts
        #expect(limits.perAccount == 3 && limits.perAddress == 7)
        #expect(limits.window == .minutes(1) && limits.perCode == AttemptLimits().perCode)
    }

    @Test(
        "Attack 78: proxies are addresses and networks; metrics are public only by an explicit setting"
    )
    func proxies() throws {
        let file = "trusted-proxies: [10.0.0.0/8, 'fd00::/8', 192.0.2.7]\n"
        let ranges = ["10.0.0.0/8", "fd00::/8", "192.0.2.7/32"].compactMap { NetworkRange($0) }
        #expect(try load(file: file).trustedProxies == ranges)
        #expect(
            try !load().publicMetrics && load(flags: ["public-metrics": ["true"]]).publicMetrics)
    }

    @Test(
        "Plain HTTP for others requires an explicit setting, or a proxy that ends TLS",
        arguments: [
            "listen: 0.0.0.0:8080\nissuer: https://login.example.com",
            "listen: 0.0.0.0:8080\ninsecure-http: true",
            "issuer: http://login.example.com\ninsecure-http: true", "listen: 127.0.0.2:8080",
            "listen: 0.0.0.0:8443\ntls-certificate: a.pem\ntls-key: b.pem",
        ])
    func plainHTTP(_ file: String) throws {
        #expect(try load(file: file).environment == nil)
    }

    @Test(
        "An issuer may have a path; the slash of a root alone is left out",
        arguments: [
            ("https://a.example", "https://a.example"), ("https://a.example/", "https://a.example"),
            ("https://a.example/auth", "https://a.example/auth"),
            ("https://a.example:8443/id/v1.2/~x", "https://a.example:8443/id/v1.2/~x"),
            ("http://localhost:8080/auth", "http://localhost:8080/auth"),
        ])
    func issuerPath(_ text: String, _ issuer: String) throws {
        #expect(try load(flags: ["issuer": [text]]).issuer == issuer)
    }

    @Test(
        "The sender of mail may have a name",
        arguments: [
            ("login@example.com", nil), ("Example Login <login@example.com>", "Example Login"),
            ("\"Login, Example\" <login@example.com>", "Login, Example"),
            ("<login@example.com>", nil),
            ("Anmeldung Köln <login@example.com>", "Anmeldung Köln"),
        ] as [(String, String?)])
    func sender(_ text: String, _ name: String?) throws {
        let mail = try #require(
            try load(flags: ["smtp": ["smtp://localhost"], "smtp-from": [text]]).mail)
        #expect(mail.from.address == "login@example.com" && mail.from.name == name)
    }

    @Test(
        "What shows only when it is tried names file and line too: an address that is taken, a database"
    )
    func triedSettings() throws {
        let configuration = try load(file: "demo: false\nlisten: 127.0.0.1:80\n")
        let complaint = configuration.origins.complaint(
            about: "listen", CommandError("cannot listen", code: .badInput))
        #expect("\(complaint)" == "g.yaml:2:9: cannot listen" && complaint.code == .badInput)
        #expect(
            "\(configuration.origins.complaint(about: "database", CommandError("away")))"
                == "database: away")
    }

    @Test("The password queue and the audit trail's retention have keys")
    func queueAndRetention() throws {
        #expect(try load().passwordQueue == 500 && load().auditRetention == .days(400))
        let set = try load(
            flags: ["password-queue": ["9"]],
            environment: ["GATEHOUSE_AUDIT_RETENTION_DAYS": "30"])
        #expect(set.passwordQueue == 9 && set.auditRetention == .days(30))
        #expect(complaint(environment: ["GATEHOUSE_AUDIT_RETENTION_DAYS": "0"]) != "")
    }

    @Test("The allowed outgoing addresses are a setting; a developer's provider may use loopback")
    func outgoing() throws {
        #expect(try load().outgoing == OutgoingRequestPolicy(asksOwnMachine: true))
        for (issuer, isDevelopers) in [
            ("http://localhost:9", true), ("http://127.0.0.1", true), ("http://[::1]:8080", true),
            ("https://a.localhost", true), ("https://id.example", false),
            ("https://localhost.example", false), ("https://10.0.0.1", false),
            ("https://127.example", false),
        ] {
            let rules = try load(flags: ["issuer": [issuer]]).outgoing
            #expect(rules == OutgoingRequestPolicy(asksOwnMachine: isDevelopers), "\(issuer)")
        }
        let named = try load(
            environment: ["GATEHOUSE_OUTGOING_ALLOW": "10.0.0.0/8,badges.corp.example"]
        ).outgoing
        let permissions = ["10.0.0.0/8", "badges.corp.example"]
            .compactMap { OutgoingRequestPolicy.Permission($0) }
        #expect(named == OutgoingRequestPolicy(permissions, asksOwnMachine: true))
        let wrong = complaint(file: "outgoing-allow: [10.0.0.1/8]")
        #expect(wrong.hasPrefix("g.yaml:1") && wrong.contains("10.0.0.1/8"))
    }

    @Test("Metadata of authenticators have keys, flags, variables, and defaults without them")
    func metadata() throws {
        #expect(try load().metadata == nil)
        let file = "metadata: https://mds.example/\nmetadata-root: r.pem\n"
        let usual = try #require(try load(file: file).metadata)
        #expect(usual.signer == "mds.fidoalliance.org" && usual.revocationLists.isEmpty)
        #expect(usual.grace == .days(30) && usual.interval == .hours(6))
        let set = try #require(
            try load(
                flags: ["metadata-crl": ["a.crl", "b.crl"], "metadata-crl-required": ["true"]],
                environment: ["GATEHOUSE_METADATA_GRACE_DAYS": "0"],
                file: file + "metadata-refresh-minutes: 5\n"
            ).metadata)
        #expect(set.revocationLists == ["a.crl", "b.crl"] && set.needsRevocationLists)
        #expect(set.grace == .days(0) && set.interval == .minutes(5))
        let local = "metadata: http://localhost:8000/blob.jwt\nmetadata-root: r.pem\n"
        #expect(try load(file: local).metadata?.place == "http://localhost:8000/blob.jwt")
    }

    @Test("A flag wins over the environment, the environment over the file")
    func order() throws {
        let file = "listen: 127.0.0.1:1001\nlog-level: debug\ndata-dir: x\n"
        let environment = ["GATEHOUSE_LISTEN": "127.0.0.1:1002", "GATEHOUSE_LOG_LEVEL": "error"]
        let flags = ["listen": ["127.0.0.1:1003"]]
        let configuration = try load(flags: flags, environment: environment, file: file)
        #expect(configuration.listen.port == 1003)
        #expect(configuration.logLevel == "error")
        #expect(configuration.dataDirectory == "x")
    }

    @Test("Every setting has a flag")
    func flags() throws {
        let help = ServeCommand.helpMessage(columns: 200)
        for setting in Setting.all { #expect(help.contains("--\(setting.name)")) }
    }

    @Test("An unknown key is refused with file, line, column and a suggestion")
    func unknownKey() {
        #expect(
            complaint(file: "demo: true\nlisen: x\n")
                == "g.yaml:2:1: unknown key \"lisen\"; did you mean \"listen\"?")
    }

    @Test("An unknown GATEHOUSE variable is refused with a suggestion; others are ignored")
    func unknownVariable() throws {
        #expect(
            complaint(environment: ["GATEHOUSE_LISEN": "x"]).contains(
                "did you mean \"GATEHOUSE_LISTEN\"?"))
        _ = try load(environment: ["HOME": "/", "GATEHOUSE_TOKEN": "x"])
    }

    @Test(
        "A wrong value says what is wrong and what would be right, and where",
        arguments: [
            ("listen: 8080", "HOST:PORT"), ("listen: a:b", "HOST:PORT"),
            ("listen: a:70000", "HOST:PORT"), ("demo: maybe", "true or false"),
            ("demo: 1", "true or false"), ("argon2-memory: lots", "a whole number from 8"),
            ("argon2-memory: 4", "a whole number from 8"),
            ("attempts-per-account: 0", "a whole number from 1"),
            ("attempts-per-address: -5", "a whole number from 1"),
            ("attempts-per-address: many", "a whole number from 1"),
            ("attempts-window: 9", "a whole number from 10"),
            ("log-level: inof", "did you mean \"info\""),
            ("log-level: [info]", "one of"), ("issuer: login.example.com", "must be a URL"),
            ("issuer: https://a.example/auth/", "no slash at the end"),
            ("issuer: https://a.example//", "no slash at the end"),
            ("issuer: https://a.example//auth", "without query"),
            ("issuer: https://a.example/auth/../x", "without query"),
            ("issuer: https://a.example/.well-known", "without query"),
            ("issuer: https://a.example/a%2Fb", "letters, digits"),
            ("issuer: https://a.example/a;b", "letters, digits"),
            ("issuer: https://a.example?x", "without query"),
            ("issuer: https://a.example/auth?x", "without query"),
            ("issuer: 'https://a.example/auth#x'", "without query"),
            ("issuer: https://u@a.example/auth", "without query"),
            ("issuer: https:///auth", "without query"),
            ("issuer: https://a.example/\(String(repeating: "a", count: 128))", "128 bytes"),
            ("issuer: http://login.example.com", "insecure-http: true"),
            ("listen: 0.0.0.0:8080", "insecure-http: true"), ("environment: prod", "production"),
            ("listen: '[::]:8080'", "plain HTTP"),
            ("database: mysql://x", "sqlite:PATH or postgres://"),
            ("tls-certificate: a.pem", "tls-key"), ("tls-key: a.pem", "tls-certificate"),
            ("profile-certificate: a.pem", "profile-key"),
            ("profile-key: a.pem", "profile-certificate"),
            ("smtp: mail.example.com", "smtp://HOST:PORT"), ("smtp: smtp://m", "smtp-from"),
            ("smtp-from: a@b.c", "smtp"), ("metadata: http://mds.example/", "https"),
            ("metadata: http://localhost@mds.example/", "https"),
            ("metadata: blob.jwt", "metadata-root"), ("metadata-root: r.pem", "requires metadata"),
            ("metadata-crl: [a.crl]", "requires metadata"),
            ("metadata-crl-required: true", "requires metadata"),
            ("metadata-grace-days: -1", "a whole number from 0"),
            ("metadata-refresh-minutes: 0", "a whole number from 1"),
            ("smtp-from: Login login@example.com\nsmtp: smtp://m", "Example Login <"),
            ("smtp-from: 'A <a@b> <a@b.c>'\nsmtp: smtp://m", "e-mail address"),
            ("smtp: 'smtp://m:70000'\nsmtp-from: a@b.c", "smtp://HOST:PORT"),
            ("trusted-proxies: 5", "a list of texts"),
            ("trusted-proxies: [proxy.internal]", "not a host name"),
            ("trusted-proxies: [10.0.0.5/8]", "10.0.0.0/8"),
            ("trusted-proxies: ['::']", "no proxy"),
            ("trusted-proxies: [0.0.0.0]", "no proxy"),
            ("trusted-proxies: [224.0.0.1]", "no proxy"),
            ("trusted-proxies: ['::ffff:10.0.0.5']", "of IPv4, 10.0.0.5"),
            ("trusted-proxies: [10.0.0.0/33]", "no proxy"), ("public-metrics: 1", "true or false"),
            ("argon2-memory: 262144\nargon2-iterations: 32", "argon2"), ("- a", "a mapping"),
        ])
    func wrongValues(file: String, right: String) {
        let text = complaint(file: file)
        #expect(text.hasPrefix("g.yaml:1:"), "\(text)")
        #expect(text.contains(right), "\(text)")
    }

    @Test("A wrong flag or variable is named as it was written")
    func origins() {
        #expect(complaint(flags: ["listen": ["x"]]).hasPrefix("--listen: "))
        #expect(complaint(environment: ["GATEHOUSE_LISTEN": "x"]).hasPrefix("GATEHOUSE_LISTEN: "))
    }

    @Test("A password on the command line is noticed, in the environment it is not")
    func exposed() throws {
        let url = "postgres://u:secret@localhost/db"
        let flagged = try SettingValues(flags: ["database": [url]], environment: [:], file: nil)
        #expect(flagged.exposedSecrets == ["database"])
        let quiet = try SettingValues(
            flags: [:], environment: ["GATEHOUSE_DATABASE": url], file: nil)
        #expect(quiet.exposedSecrets.isEmpty)
    }

    @Test("Addresses with IPv6 and without a host are understood")
    func addresses() throws {
        #expect(try load(flags: ["listen": ["[::1]:9"]]).listen == .init(host: "::1", port: 9))
        #expect(try load(flags: ["listen": [":9"]]).listen == .init(host: "127.0.0.1", port: 9))
    }
}
