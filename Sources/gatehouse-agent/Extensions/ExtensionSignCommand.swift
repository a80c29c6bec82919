// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import Primitives
import SSOExtensions
import SingleSignOn

/// `gatehouse-agent extension sign`
struct ExtensionSignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Write the signed manifest of an executable.",
        discussion: """
            The key is a JWK or PEM file, Ed25519 or P-256. --new-key makes one (mode 0600) and says \
            which team it is; keep it, for only its holder can sign updates.

            Example:

              gatehouse-agent extension sign ./sso --identifier com.example.sso --name "Example SSO" \\
                --key team.jwk --new-key
            """)

    @Argument(help: "The executable.")
    var executable: String
    @Option(help: "As a bundle identifier: com.example.sso.")
    var identifier: String
    @Option(help: "Display name.")
    var name: String
    @Option(name: .customLong("extension-version"), help: "Of the extension, for people.")
    var extensionVersion = "1.0"
    @Option(
        help: ArgumentHelp(
            "platform_sso, key_service, redirect or credential; repeatable.",
            discussion: "platform_sso when absent."))
    var capability: [String] = []
    @Option(help: "File with the team's private key.")
    var key: String
    @Flag(help: "Create the key; the file must not exist.")
    var newKey = false
    @Option(help: "The manifest to write; EXECUTABLE.manifest when absent.")
    var output: String?
    @OptionGroup var printing: OutputOptions

    func run() async throws {
        let signer = try JOSESigner(teamKey())
        guard let publicKey = signer.publicKey, SignedManifest.algorithms.contains(signer.algorithm)
        else { throw CommandError("\(key) is neither Ed25519 nor P-256", code: .badInput) }
        let manifest = try manifest(publicKey)
        let path = output ?? LooseExtension.manifestPath(executable)
        try SecretFile.replace(path, try SignedManifest.sign(manifest, with: signer) + [0x0A])
        var report = manifest.report
        report["manifest"] = .string(path)
        Outcome.report(
            "\(path) is written for \(identifier), team \(manifest.team).", .object(report),
            printing)
    }

    private func manifest(_ key: PublicJWK) throws -> ExtensionManifest {
        guard AppIdentifier.isBundle(identifier) else {
            throw CommandError("\(identifier) is not a bundle identifier", code: .badInput)
        }
        let capabilities = try (capability.isEmpty ? ["platform_sso"] : capability).map { name in
            guard let capability = ExtensionManifest.Capability(rawValue: name) else {
                throw CommandError("\(name) is not a capability", code: .badInput)
            }
            return capability
        }
        do throws(ExtensionTrustRefusal) {
            let (digest, length) = try ExtensionFile(executable, owner: nil).digest()
            let manifest = ExtensionManifest(
                identifier: identifier, displayName: name, extensionVersion: extensionVersion,
                capabilities: Set(capabilities), digest: digest, length: length, key: key)
            // Parses the manifest, so that an unreadable one is not written.
            return try ExtensionManifest(json: manifest.json)
        } catch { throw CommandError(error.reason, code: .badInput) }
    }

    private func teamKey() throws -> PrivateJWK {
        if newKey {
            guard !FileCalls.exists(key) else {
                throw CommandError(
                    "\(key) exists already; omit --new-key to use it", code: .badInput)
            }
            let made = try PrivateJWK.generate(for: .edDSA)
            _ = try SecretFile.create(key, made.export().reveal())
            return made
        }
        guard let content = try SecretFile.read(key, limit: JSONWebKey.maximumBytes) else {
            throw CommandError("\(key) does not exist; use --new-key to create it", code: .badInput)
        }
        if case .privateKey(let read)? = try? JSONWebKey(bytes: content) { return try named(read) }
        guard let read = try? PrivateJWK(pem: Secret(content)) else {
            throw CommandError("\(key) is not a private key", code: .badInput)
        }
        return try named(read)
    }

    /// With the algorithm of its kind, which keys from elsewhere need not name.
    private func named(_ key: PrivateJWK) throws -> PrivateJWK {
        let algorithm: JWSAlgorithm? =
            switch key.publicKey.material {
            case .octetKeyPair(.ed25519, _): .edDSA
            case .ellipticCurve(.p256, _, _): .es256
            default: nil
            }
        return try key.with(KeyParameters(algorithm: algorithm?.rawValue))
    }
}
