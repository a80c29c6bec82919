// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Debian's SoftHSM with tokens of a test's own: hardware modules and smart cards, as far as a program
/// that speaks PKCS#11 can tell.
package final class SoftwareTokens: Sendable {
    package static let module = "/usr/lib/softhsm/libsofthsm2.so"
    package static let pin = "123456"
    private static let tools = [
        "/usr/bin/softhsm2-util", "/usr/bin/pkcs11-tool", "/usr/bin/openssl",
    ]

    /// Whether a machine can play tokens.
    package static let isInstalled =
        FileManager.default.fileExists(atPath: module)
        && tools.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    private let folder = TestFolder()

    /// - Parameter labels: Each becomes a token, with the PIN ``pin``.
    package init(_ labels: [String]) async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("tokens"), withIntermediateDirectories: true)
        let text = """
            directories.tokendir = \(folder.path("tokens"))
            objectstore.backend = file
            log.level = ERROR

            """
        try Data(text.utf8).write(to: URL(filePath: folder.path("softhsm2.conf")))
        for label in labels {
            try await run(
                "softhsm2-util", "--init-token", "--free", "--label", label, "--pin", Self.pin,
                "--so-pin", "12345678")
        }
    }

    /// What a program needs in its environment to see these tokens and no others.
    package var environment: [String: String] {
        ["SOFTHSM2_CONF": folder.path("softhsm2.conf")]
    }

    /// A certificate and its key on a token, and who signed it.
    package struct Card: Sendable {
        /// PEM
        package let root: String
        /// DER
        package let certificate: [UInt8]
    }

    /// Stores a key with a certificate on a token, as an issuer of cards does.
    ///
    /// - Parameter algorithm: In the form of `openssl req -newkey`.
    package func addCard(
        to label: String, name: String, id: String = "01", algorithm: String = "ec"
    ) async throws -> Card {
        let files = TestFolder()
        let key = algorithm == "ec" ? ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"] : [algorithm]
        try await run(
            ["openssl", "req", "-x509", "-newkey"] + key + [
                "-nodes", "-subj", "/CN=Cards", "-days", "3650", "-keyout", files.path("ca.key"),
                "-out", files.path("ca.pem"),
            ])
        try await run(
            ["openssl", "req", "-x509", "-newkey"] + key + [
                "-nodes", "-subj", "/CN=\(name)", "-days", "3650", "-CA", files.path("ca.pem"),
                "-CAkey", files.path("ca.key"), "-keyout", files.path("card.key"), "-out",
                files.path("card.pem"), "-addext", "basicConstraints=critical,CA:FALSE",
                "-addext", "keyUsage=critical,digitalSignature", "-addext",
                "extendedKeyUsage=clientAuth",
            ])
        try await run(
            "openssl", "x509", "-in", files.path("card.pem"), "-outform", "DER", "-out",
            files.path("card.der"))
        try await run(
            "openssl", "pkcs8", "-topk8", "-nocrypt", "-in", files.path("card.key"), "-out",
            files.path("card.p8"))
        try await run(
            "softhsm2-util", "--import", files.path("card.p8"), "--token", label, "--label",
            name, "--id", id, "--pin", Self.pin)
        try await run(
            "pkcs11-tool", "--module", Self.module, "--token-label", label, "--login", "--pin",
            Self.pin, "--write-object", files.path("card.der"), "--type", "cert", "--id", id,
            "--label", name)
        return Card(
            root: try String(contentsOfFile: files.path("ca.pem"), encoding: .utf8),
            certificate: [UInt8](try Data(contentsOf: URL(filePath: files.path("card.der")))))
    }

    private func run(_ words: String...) async throws { try await run(words) }

    private func run(_ words: [String]) async throws {
        let child = try ChildProcess(
            URL(filePath: "/usr/bin/" + words[0]), Array(words.dropFirst()),
            log: URL(filePath: folder.path("log")), environment: environment)
        let status = try await child.ended(within: .seconds(60))
        guard status == 0 else { throw HarnessError("\(words[0]): \(child.lastWords)") }
    }
}

/// The tokens that the tests of this process share: SoftHSM reads its configuration once.
package struct SharedTokens: Sendable {
    /// For keys, and a second one for them to be missing on.
    package static let (machine, other) = ("machine", "other")
    /// For the master key, and one for wrong PINs of it.
    package static let (masterKey, masterKeyPIN) = ("master key", "master key PIN")
    /// A card with a key on P-256, and one with an RSA key.
    package static let (card, rsaCard) = ("card of anna", "card of bea")

    package let anna: SoftwareTokens.Card
    package let bea: SoftwareTokens.Card

    private static let made = Task { () throws -> SharedTokens in
        let tokens = try await SoftwareTokens([
            machine, other, masterKey, masterKeyPIN, card, rsaCard,
        ])
        let shared = SharedTokens(
            anna: try await tokens.addCard(to: card, name: "anna"),
            bea: try await tokens.addCard(to: rsaCard, name: "bea", algorithm: "rsa:2048"))
        // No other test code sets a variable, and the first `setenv` leaves the old list in place:
        // a concurrent reader is safe.
        for (name, value) in tokens.environment { setenv(name, value, 1) }
        kept.withLock { $0 = tokens }
        atexit { SharedTokens.kept.withLock { $0 = nil } }
        return shared
    }

    /// Their folder goes with the process.
    private static let kept = Mutex<SoftwareTokens?>(nil)

    package static var ready: SharedTokens {
        get async throws { try await made.value }
    }
}
