// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
import SingleSignOn

/// The manifest of an extension: its name, team, capabilities and executable.
package struct ExtensionManifest: Sendable, Equatable {
    /// A kind of request that the agent may send to it.
    package enum Capability: String, Sendable, CaseIterable {
        /// Registrations of devices and people.
        case platformSSO = "platform_sso"
        /// Its provider has the key service and supports version 2.0.
        case keyService = "key_service"
        /// Interception of requests to URLs.
        case redirect
        /// Handling of challenges of hosts.
        case credential
    }

    /// The version of the manifest's format.
    package static let version = 1

    /// In the form of a bundle identifier: `com.example.sso`.
    package var identifier: String
    /// ``ExtensionTeam/identifier(of:)`` of the key.
    package var team: String
    package var displayName: String
    /// The version of the extension, for people.
    package var extensionVersion: String
    package var capabilities: Set<Capability>
    /// The supported message versions.
    package var protocols: ClosedRange<Int>
    /// SHA-256 of the executable, 32 bytes.
    package var digest: [UInt8]
    /// Length of the executable in bytes.
    package var length: Int64
    /// The signing key; the team has the private key.
    package var key: PublicJWK

    package init(
        identifier: String, displayName: String, extensionVersion: String,
        capabilities: Set<Capability>, protocols: ClosedRange<Int> = 1...1, digest: [UInt8],
        length: Int64, key: PublicJWK
    ) {
        self.identifier = identifier
        team = ExtensionTeam.identifier(of: key)
        self.displayName = displayName
        self.extensionVersion = extensionVersion
        self.capabilities = capabilities
        self.protocols = protocols
        self.digest = digest
        self.length = length
        self.key = key
    }

    // MARK: JSON

    package var json: JSONObject {
        let sorted = Capability.allCases.filter(capabilities.contains)
        return JSONObject([
            .init(name: "manifest", value: .integer(Int64(Self.version))),
            .init(name: "identifier", value: .string(identifier)),
            .init(name: "team", value: .string(team)),
            .init(name: "display_name", value: .string(displayName)),
            .init(name: "version", value: .string(extensionVersion)),
            .init(name: "capabilities", value: .array(sorted.map { .string($0.rawValue) })),
            .init(
                name: "protocols",
                value: [
                    .integer(Int64(protocols.lowerBound)), .integer(Int64(protocols.upperBound)),
                ]
            ),
            .init(name: "sha256", value: .string(Base64URL.encode(digest))),
            .init(name: "bytes", value: .integer(length)),
            .init(name: "key", value: key.json),
        ])
    }

    /// - Throws: `manifestMalformed`, `manifestVersion`, `teamMismatch`.
    package init(json: JSONObject) throws(ExtensionTrustRefusal) {
        guard case .integer(let version)? = json["manifest"] else {
            throw Self.malformed("manifest")
        }
        guard version == Self.version else {
            throw ExtensionTrustRefusal(
                .manifestVersion, "The manifest is of version \(version), not \(Self.version).")
        }
        identifier = try Self.text("identifier", in: json)
        guard AppIdentifier.isBundle(identifier) else { throw Self.malformed("identifier") }
        displayName = try Self.text("display_name", in: json)
        extensionVersion = try Self.text("version", in: json)
        capabilities = try Self.capabilities(in: json)
        protocols = try Self.protocols(in: json)
        guard let digest = json["sha256"]?.string.flatMap({ Base64URL.decode($0) }),
            digest.count == 32
        else { throw Self.malformed("sha256") }
        guard let length = json["bytes"]?.integer, 1...Int64(ExtensionFile.maximumBytes) ~= length
        else { throw Self.malformed("bytes") }
        guard let key = json["key"]?.object,
            case .publicKey(let key)? = try? JSONWebKey(key)
        else { throw Self.malformed("key") }
        (self.digest, self.length, self.key) = (digest, length, key)
        team = try Self.text("team", in: json)
        guard team.hasSameBytes(as: ExtensionTeam.identifier(of: key)) else {
            throw ExtensionTrustRefusal(
                .teamMismatch, "The manifest's team is not named for the manifest's key.")
        }
        let known = self.json.names
        if let unknown = json.names.first(where: { !known.contains($0) }) {
            throw Self.malformed(unknown)
        }
    }

    private static func text(
        _ name: String, in json: JSONObject
    ) throws(ExtensionTrustRefusal) -> String {
        guard let text = json[name]?.string, 1...255 ~= text.utf8.count,
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { throw malformed(name) }
        return text
    }

    private static func capabilities(
        in json: JSONObject
    ) throws(ExtensionTrustRefusal) -> Set<Capability> {
        guard let names = json["capabilities"]?.strings, !names.isEmpty else {
            throw malformed("capabilities")
        }
        let capabilities = names.compactMap { Capability(rawValue: $0) }
        guard capabilities.count == names.count, Set(capabilities).count == names.count else {
            throw malformed("capabilities")
        }
        return Set(capabilities)
    }

    private static func protocols(
        in json: JSONObject
    ) throws(ExtensionTrustRefusal) -> ClosedRange<Int> {
        guard let ends = json["protocols"]?.array, ends.count == 2,
            let first = ends[0].integer, let last = ends[1].integer,
            1...1000 ~= first, first...1000 ~= last
        else { throw malformed("protocols") }
        return Int(first)...Int(last)
    }

    private static func malformed(_ name: String) -> ExtensionTrustRefusal {
        ExtensionTrustRefusal(
            .manifestMalformed, "The manifest's \(name.prefix(64)) is missing or not right.")
    }
}
