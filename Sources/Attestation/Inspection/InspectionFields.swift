// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

/// A reader of an input of `gatehouse inspect attestation`. A member that is `null` is absent.
struct InspectionFields {
    let reader: JSONReader<InspectionError>
    private let clock: any WallClock

    init(_ input: JSONObject, clock: any WallClock) {
        reader = JSONReader(input, ignoresNull: true) { .badInput($0.description) }
        self.clock = clock
    }

    func bytes(_ name: String) throws(InspectionError) -> [UInt8] {
        try reader.required(name, .base64url)
    }

    func flag(_ name: String, _ usual: Bool) throws(InspectionError) -> Bool {
        try reader.optional(name, .bool) ?? usual
    }

    func integer(_ name: String) throws(InspectionError) -> Int64? {
        try reader.optional(name, .integer)
    }

    func set(_ name: String) throws(InspectionError) -> Set<String>? {
        try reader.optional(name, .strings).map { Set($0) }
    }

    /// A list of DER in base64url.
    func certificates(_ name: String) throws(InspectionError) -> [[UInt8]]? {
        try reader.optional(name, .list(of: .base64url))
    }

    /// Returns the root keys of the input, or otherwise those of the package.
    func roots(
        _ name: String = "roots", orElse usual: RootKeys?
    ) throws(InspectionError) -> RootKeys {
        let form = JSONForm<[[UInt8]]>.list(of: .base64url)
            .map("a list of public keys or certificates, base64url DER") { try? RootKeys(der: $0) }
        if let roots = try reader.optional(name, form) ?? usual { return roots }
        return try reader.required(name, form)
    }

    /// A public key as a JWK.
    func key(_ name: String) throws(InspectionError) -> PublicJWK? {
        try reader.optional(name, .publicKey)
    }

    /// `[{"packageName":"…","fingerprints":["…"]}]`.
    func applications() throws(InspectionError) -> [AndroidApplication] {
        let application = JSONForm("a packageName with fingerprints") { Self.application($0) }
        return try reader.required("applications", .list(of: application))
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
