// SPDX-License-Identifier: Apache-2.0
import Mail
import PasswordHashing
import Primitives
import ProviderCore

/// Turns settings, which are text, into what they mean.
struct SettingReader {
    let values: SettingValues

    init(_ values: SettingValues) { self.values = values }

    func text(_ name: String) -> String? { values[name]?.texts.last }

    func list(_ name: String) -> [String] { values[name]?.texts ?? [] }

    func flag(_ name: String) -> Bool { text(name) == "true" }

    /// In range: ``SettingValues`` has seen to that.
    func number(_ name: String) -> Int64? { text(name).flatMap { Int64($0) } }

    /// `HOST:PORT`, `:PORT` or `[IPv6]:PORT`.
    func address(_ name: String) throws(ConfigurationError) -> ServeConfiguration.Address? {
        guard let entry = values[name], let text = entry.texts.last else { return nil }
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else {
            throw ConfigurationError(
                entry.origin,
                "\(name) is \"\(text)\"; it must be HOST:PORT, for example 127.0.0.1:8080")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.isEmpty { host = "127.0.0.1" }
        return ServeConfiguration.Address(host: host, port: Int(port))
    }

    func database(in directory: String) throws(ConfigurationError) -> ServeConfiguration.Database {
        guard let entry = values["database"], let text = entry.texts.last else {
            return .sqlite(path: "\(directory)/gatehouse.sqlite")
        }
        if text.hasPrefix("sqlite:"), text.count > 7 {
            return .sqlite(path: String(text.dropFirst(7)))
        }
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            return .postgres(url: text)
        }
        throw ConfigurationError(
            entry.origin, "database must be sqlite:PATH or postgres://USER@HOST/NAME")
    }

    /// `NAME-certificate` and `NAME-key`: both or neither.
    func certificate(
        _ name: String
    ) throws(ConfigurationError) -> ServeConfiguration.CertificateFiles? {
        switch (values["\(name)-certificate"], values["\(name)-key"]) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            return ServeConfiguration.CertificateFiles(
                certificate: certificate.texts.last ?? "", key: key.texts.last ?? "")
        case (let given?, nil):
            throw ConfigurationError(
                given.origin, "\(name)-certificate requires \(name)-key")
        case (nil, let given?):
            throw ConfigurationError(
                given.origin, "\(name)-key requires \(name)-certificate")
        }
    }

    func mail() throws(ConfigurationError) -> ServeConfiguration.Mail? {
        guard let entry = values["smtp"], let url = entry.texts.last else {
            if let from = values["smtp-from"] {
                throw ConfigurationError(from.origin, "smtp-from requires smtp")
            }
            return nil
        }
        guard let server = try? SMTPServer(url: url) else {
            throw ConfigurationError(
                entry.origin,
                "smtp must be smtp://HOST:PORT or smtps://HOST:PORT, with USER:PASSWORD@ before HOST "
                    + "if the server requires them")
        }
        guard let from = values["smtp-from"] else {
            throw ConfigurationError(entry.origin, "smtp needs smtp-from, the sender's address")
        }
        guard let sender = MailAddress(mailbox: from.texts.last ?? "") else {
            throw ConfigurationError(
                from.origin,
                "smtp-from is \"\(from.texts.last ?? "")\"; it must be an e-mail address, or a name with one: "
                    + "Example Login <login@example.com>")
        }
        return ServeConfiguration.Mail(server: server, from: sender)
    }

    func attempts() -> AttemptLimits {
        var limits = AttemptLimits()
        if let guesses = number("attempts-per-account") { limits.perAccount = Int(guesses) }
        if let guesses = number("attempts-per-address") { limits.perAddress = Int(guesses) }
        if let seconds = number("attempts-window") { limits.window = .seconds(seconds) }
        return limits
    }

    func argon2() throws(ConfigurationError) -> Argon2Parameters {
        var parameters = Argon2Parameters.standard
        if let memory = number("argon2-memory") { parameters.memory = UInt32(clamping: memory) }
        if let passes = number("argon2-iterations") {
            parameters.iterations = UInt32(clamping: passes)
        }
        if let lanes = number("argon2-lanes") { parameters.lanes = UInt32(clamping: lanes) }
        guard parameters.isReasonable else {
            let origin =
                values["argon2-memory"]?.origin ?? values["argon2-iterations"]?.origin
                ?? values["argon2-lanes"]?.origin
            throw ConfigurationError(
                origin,
                "argon2 needs at least 8 KiB of memory for each lane, and at most "
                    + "\(Argon2Parameters.greatestWork) KiB times iterations")
        }
        return parameters
    }
}
