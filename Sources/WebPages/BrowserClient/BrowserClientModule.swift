// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// The browser client: one ES module and its type declarations.
///
/// The files of `Web/client` are concatenated unchanged in the order of ``order``. Each file uses
/// only earlier ones, so that no build step is needed.
package struct BrowserClientModule: Sendable {
    package let script: [UInt8]
    package let types: [UInt8]
    /// Of the script: the `v` of its address, and its ETag.
    package let version: String
    package let typesVersion: String
    /// For `integrity` (Subresource Integrity, section 3.1): `sha384-…`.
    package let integrity: String

    package static let order = [
        "errors", "signatures", "store", "possession", "provider", "session", "profiles",
        "evidence", "tokens", "registration", "custom", "browser", "leaving", "device",
        "approvals", "client",
    ]

    /// - Throws: ``WebResources/LoadError`` when a part is missing, or one too many is there.
    init(parts: [String: [UInt8]], types: [String: [UInt8]]) throws {
        guard let types = types["gatehouse"] else {
            throw WebResources.LoadError.missing("gatehouse.d.ts")
        }
        if let stranger = parts.keys.first(where: { !Self.order.contains($0) }) {
            throw WebResources.LoadError.unreadable("client/\(stranger).js")
        }
        var script: [UInt8] = []
        for name in Self.order {
            guard let part = parts[name] else {
                throw WebResources.LoadError.missing("client/\(name).js")
            }
            if !script.isEmpty { script.append(UInt8(ascii: "\n")) }
            script += part
        }
        self.script = script
        self.types = types
        version = WebResources.version(of: script)
        typesVersion = WebResources.version(of: types)
        integrity = "sha384-" + Base64.encode(Array(SHA384.hash(data: script)))
    }
}
