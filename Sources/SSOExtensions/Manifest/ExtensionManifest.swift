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
        let reader = JSONReader(json) {
            ExtensionTrustRefusal(.manifestMalformed, "The manifest: \($0).")
        }
        let version = try reader.required("manifest", .integer)
        guard version == Self.version else {
            throw ExtensionTrustRefusal(
                .manifestVersion, "The manifest is of version \(version), not \(Self.version).")
        }
        identifier = try reader.required(
            "identifier",
            .line.map("a bundle identifier") { AppIdentifier.isBundle($0) ? $0 : nil })
        displayName = try reader.required("display_name", .line)
        extensionVersion = try reader.required("version", .line)
        capabilities = try reader.required("capabilities", Self.capabilities)
        protocols = try reader.required("protocols", Self.protocols)
        digest = try reader.required("sha256", .base64url(32...32))
        length = try reader.required("bytes", .integer(1...Int64(ExtensionFile.maximumBytes)))
        key = try reader.required("key", .publicKey)
        team = try reader.required("team", .line)
        guard team.hasSameBytes(as: ExtensionTeam.identifier(of: key)) else {
            throw ExtensionTrustRefusal(
                .teamMismatch, "The manifest's team is not named for the manifest's key.")
        }
        try reader.finish()
    }

    private static var capabilities: JSONForm<Set<Capability>> {
        JSONForm<[Capability]>.list(of: .choice).map("different capabilities, one at least") {
            !$0.isEmpty && Set($0).count == $0.count ? Set($0) : nil
        }
    }

    /// The first and the last version.
    private static var protocols: JSONForm<ClosedRange<Int>> {
        JSONForm<[Int64]>.list(of: .integer(1...1000)).map("two versions from 1 to 1000") { ends in
            ends.count == 2 && ends[0] <= ends[1] ? Int(ends[0])...Int(ends[1]) : nil
        }
    }
}

extension JSONForm<String> {
    /// At most 255 bytes without control characters.
    fileprivate static var line: JSONForm {
        .string(1...255).map("a string of 1 to 255 bytes without control characters") { text in
            text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } ? text : nil
        }
    }
}
