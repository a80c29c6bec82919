// SPDX-License-Identifier: Apache-2.0

/// The protected header of a JWS or JWE (RFC 7515 section 4, RFC 7516 section 4).
///
/// Keys and addresses of keys in it (`jwk`, `jku`, `x5u`, `x5c`) are data and never trusted.
package struct JOSEHeader: Sendable, Equatable {
    package let members: JSONObject
    /// `alg` as written; only a verifier decides whether it is acceptable.
    package let algorithm: String
    package let keyID: String?
    /// `typ` as written.
    package let type: String?

    static let maximumBytes = 16_384
    private static let maximumDepth = 8

    /// - Throws: `invalidHeader`; `unsupportedCritical` for any `crit`, because no extension is
    ///   supported, and for any `b64` (RFC 7797).
    init(bytes: [UInt8]) throws(JOSEError) {
        let members: JSONObject
        do {
            members = try JSONParser.parseObject(
                bytes, maximumBytes: Self.maximumBytes, maximumDepth: Self.maximumDepth)
        } catch {
            throw JOSEError(.invalidHeader, "the header is not JSON: \(error.code)")
        }
        try self.init(members)
    }

    private init(_ members: JSONObject) throws(JOSEError) {
        guard members["crit"] == nil, members["b64"] == nil else {
            throw JOSEError(.unsupportedCritical, "crit or b64 is present")
        }
        let reader = JSONReader(members) { JOSEError(.invalidHeader, $0.description) }
        self.members = members
        algorithm = try reader.required("alg", .string)
        keyID = try reader.optional("kid", .string)
        type = try reader.optional("typ", .string)
        _ = try reader.optional("cty", .string)
    }

    /// Whether `typ` is that media type. The comparison ignores case and the prefix `application/`,
    /// as RFC 7515 section 4.1.9 specifies.
    package func isType(_ expected: String) -> Bool {
        guard let type else { return false }
        return Self.bareType(type).elementsEqual(Self.bareType(expected)) {
            Self.lower($0) == Self.lower($1)
        }
    }

    private static func bareType(_ type: String) -> Substring.UTF8View {
        let prefix = "application/".utf8
        let hasPrefix = type.utf8.prefix(prefix.count).elementsEqual(prefix) { lower($0) == $1 }
        return type.utf8.dropFirst(hasPrefix ? prefix.count : 0)
    }

    /// Lowercases ASCII, which suffices for media types.
    private static func lower(_ letter: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= letter ? letter | 0x20 : letter
    }
}
