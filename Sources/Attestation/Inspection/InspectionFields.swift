// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

/// A reader of an input of `gatehouse inspect attestation`.
struct InspectionFields {
    private let input: JSONValue
    private let clock: any WallClock

    init(_ input: JSONValue, clock: any WallClock) {
        self.input = input
        self.clock = clock
    }

    /// Returns `nil` if the member is absent or `null`.
    func optional<Value>(
        _ name: String, _ form: String, _ read: (JSONValue) -> Value?
    ) throws(InspectionError) -> Value? {
        guard let member = input[name], member != .null else { return nil }
        guard let value = read(member) else { throw .badInput("\"\(name)\" must be \(form)") }
        return value
    }

    func required<Value>(
        _ name: String, _ form: String, _ read: (JSONValue) -> Value?
    ) throws(InspectionError) -> Value {
        guard let value = try optional(name, form, read) else {
            throw .badInput("\"\(name)\" is missing: it must be \(form)")
        }
        return value
    }

    func bytes(_ name: String) throws(InspectionError) -> [UInt8] {
        try required(name, "a base64url string") { $0.string.flatMap { Base64URL.decode($0) } }
    }

    func text(_ name: String) throws(InspectionError) -> String {
        try required(name, "a string", \.string)
    }

    func texts(_ name: String) throws(InspectionError) -> [String] {
        try required(name, "a list of strings", \.strings)
    }

    func flag(_ name: String, _ usual: Bool) throws(InspectionError) -> Bool {
        try optional(name, "true or false", \.bool) ?? usual
    }

    func integer(_ name: String) throws(InspectionError) -> Int64? {
        try optional(name, "a whole number", \.integer)
    }

    func set(_ name: String) throws(InspectionError) -> Set<String>? {
        try optional(name, "a list of strings", \.strings).map { Set($0) }
    }

    /// A list of DER in base64url.
    func certificates(_ name: String) throws(InspectionError) -> [[UInt8]]? {
        try optional(name, "a list of base64url strings") { Self.list($0) }
    }

    private static func list(_ value: JSONValue) -> [[UInt8]]? {
        guard let texts = value.strings else { return nil }
        let items = texts.compactMap { Base64URL.decode($0) }
        return items.count == texts.count ? items : nil
    }

    /// Returns the root keys of the input, or otherwise those of the package.
    func roots(
        _ name: String = "roots", orElse usual: RootKeys?
    ) throws(InspectionError) -> RootKeys {
        let named = try optional(name, "a list of public keys or certificates, base64url DER") {
            value in
            Self.list(value).flatMap { try? RootKeys(der: $0) }
        }
        guard let roots = named ?? usual else { throw .badInput("\"\(name)\" is missing") }
        return roots
    }

    /// A public key as a JWK.
    func key(_ name: String) throws(InspectionError) -> PublicJWK? {
        try optional(name, "a public key as a JWK") { Self.key($0) }
    }

    func keys(_ name: String) throws(InspectionError) -> [PublicJWK]? {
        try optional(name, "a list of public keys as JWK") { value in
            guard let items = value.array else { return nil }
            let keys = items.compactMap { Self.key($0) }
            return keys.count == items.count ? keys : nil
        }
    }

    private static func key(_ value: JSONValue) -> PublicJWK? {
        guard let object = value.object, case .publicKey(let key)? = try? JSONWebKey(object) else {
            return nil
        }
        return key
    }

    /// `[{"packageName":"…","fingerprints":["…"]}]`.
    func applications() throws(InspectionError) -> [AndroidApplication] {
        try required("applications", "a list of packageName with fingerprints") { value in
            guard let items = value.array else { return nil }
            let applications = items.compactMap { Self.application($0) }
            return applications.count == items.count ? applications : nil
        }
    }

    private static func application(_ value: JSONValue) -> AndroidApplication? {
        guard let name = value["packageName"]?.string,
            let texts = value["fingerprints"]?.strings
        else { return nil }
        let fingerprints = texts.compactMap { CertificateFingerprint($0) }
        guard fingerprints.count == texts.count else { return nil }
        return AndroidApplication(packageName: name, fingerprints: Set(fingerprints))
    }

    func now() throws(InspectionError) -> Timestamp {
        try integer("now").map { Timestamp(seconds: $0) } ?? clock.now
    }

    /// - Parameter key: The key that the evidence must certify.
    func expectation(key: PublicJWK?) throws(InspectionError) -> AttestationExpectation {
        AttestationExpectation(challenge: try bytes("challenge"), key: key, now: try now())
    }
}
