// SPDX-License-Identifier: Apache-2.0
import Attestation
import Crypto
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import Storage
import WebAuthn

/// The hardware attestation of a device's keys: Apple's managed device attestation, or
/// `TPM2_Certify` of a TPM.
enum DeviceAttestation {
    enum Format: String, Sendable, CaseIterable {
        case apple, tpm
    }

    /// The unverified evidence.
    enum Evidence: Sendable {
        /// The certificates of the signing key, and of the encryption key if the device created
        /// one.
        case apple(signing: [[UInt8]], encryption: [[UInt8]]?)
        case tpm(UnverifiedTPMKey)

        var format: Format {
            switch self {
            case .apple: .apple
            case .tpm: .tpm
            }
        }
    }

    /// The attestation result.
    struct Vouched: Sendable, Equatable {
        /// For ``Device/attestation``: JSON.
        var summary = "{}"
        var serial: String?
        var udid: String?
        /// The endorsement key of the TPM, by its thumbprint (RFC 7638).
        var endorsementKey: String?

        /// Adds attested values that the device did not report.
        func completing(_ facts: DeviceAttributes) -> DeviceAttributes {
            var facts = facts
            if let serial, facts.serial.isEmpty { facts.serial = serial }
            if let udid, facts.udid.isEmpty { facts.udid = udid }
            return facts
        }

        /// Whether the hardware attested the identifier of a device with these attributes.
        func proves(_ facts: DeviceAttributes) -> Bool {
            facts.serial.isEmpty ? udid != nil : serial != nil
        }
    }

    /// The expected challenge: `clientDataHash` of Apple's call, `qualifyingData` of the TPM's. It
    /// binds both keys and the nonce.
    static func challenge(nonce: String, signing: PublicJWK, encryption: PublicJWK) -> [UInt8] {
        let names = KeyIdentifier(signing).digest + KeyIdentifier(encryption).digest
        return Array(SHA256.hash(data: Array(nonce.utf8) + names))
    }

    static func refused(_ error: AttestationRefusal) -> Refusal {
        refusal(
            "attestation_refused", "The evidence was refused: \(error.code.rawValue).",
            error.description)
    }

    static func refusal(_ code: String, _ message: String, _ reason: String) -> Refusal {
        Refusal(code, message, reason: reason)
    }
}

/// Parsing.
extension DeviceAttestation.Evidence {
    /// Parses the member `attestation` of a registration.
    ///
    /// - Parameter name: The member with Apple's certificates of the key.
    init(
        _ value: JSONValue, of name: String = "signing_key"
    ) throws(PlatformSSORefusal) {
        switch value["format"]?.string.flatMap(DeviceAttestation.Format.init) {
        case .apple:
            guard let signing = try Self.chain(value[name]) else {
                throw PlatformSSORefusal(.claimMissing, "attestation.\(name) is missing")
            }
            self = .apple(signing: signing, encryption: try Self.chain(value["encryption_key"]))
        case .tpm: self = .tpm(try Self.tpm(value))
        case nil: throw PlatformSSORefusal(.claimMalformed, "no such format of an attestation")
        }
    }

    private static func tpm(_ value: JSONValue) throws(PlatformSSORefusal) -> UnverifiedTPMKey {
        func bytes(_ name: String) throws(PlatformSSORefusal) -> [UInt8] {
            guard let text = value[name]?.string, text.utf8.count <= 8192,
                let bytes = LenientBase64.decode(text)
            else { throw PlatformSSORefusal(.claimMalformed, "attestation.\(name) is not base64") }
            return bytes
        }
        guard let algorithm = value["alg"]?.integer.flatMap(COSEAlgorithm.init) else {
            throw PlatformSSORefusal(.claimMalformed, "attestation.alg is not a COSE algorithm")
        }
        var key: PublicJWK?
        if let named = value["attestation_key"] {
            guard let object = named.object, object["d"] == nil,
                let read = try? JSONWebKey(object).publicKey
            else {
                throw PlatformSSORefusal(.publicKeyMalformed, "attestation.attestation_key")
            }
            key = read
        }
        return UnverifiedTPMKey(
            publicArea: try bytes("public_area"), certifyInfo: try bytes("certify_info"),
            signature: try bytes("signature"), algorithm: algorithm,
            certificates: try chain(value["x5c"]) ?? [], attestationKey: key,
            quote: try quote(value["quote"]), activation: try activation(value["endorsement"]))
    }

    private static func activation(
        _ value: JSONValue?
    ) throws(PlatformSSORefusal) -> UnverifiedTPMActivation? {
        guard let value else { return nil }
        guard let object = value.object else {
            throw PlatformSSORefusal(.claimMalformed, "attestation.endorsement is not an object")
        }
        let claims = MessageClaims(object)
        let secret = try claims.reader.required("secret", .base64(1...1024))
        return UnverifiedTPMActivation(
            endorsement: try UnverifiedTPMEndorsement(claims), secret: secret)
    }

    private static func quote(
        _ value: JSONValue?
    ) throws(PlatformSSORefusal) -> UnverifiedTPMQuote? {
        guard let value else { return nil }
        func bytes(_ value: JSONValue?) -> [UInt8]? {
            value?.string.flatMap { $0.utf8.count <= 8192 ? LenientBase64.decode($0) : nil }
        }
        var values: [Int: [UInt8]] = [:]
        for member in value["pcrs"]?.object?.members ?? [] {
            guard member.name.utf8.count <= 2, let index = Int(member.name), 0...31 ~= index,
                values[index] == nil, let bytes = bytes(member.value)
            else { throw PlatformSSORefusal(.claimMalformed, "attestation.quote.pcrs") }
            values[index] = bytes
        }
        guard let quoted = bytes(value["quoted"]), let signature = bytes(value["signature"]) else {
            throw PlatformSSORefusal(.claimMalformed, "attestation.quote is not base64")
        }
        return UnverifiedTPMQuote(quoted: quoted, signature: signature, values: values)
    }

    private static func chain(_ value: JSONValue?) throws(PlatformSSORefusal) -> [[UInt8]]? {
        guard let value else { return nil }
        return try CertificateChain.read(JSONObject([.init(name: "x5c", value: value)]))
    }
}

/// Verifies the evidence of a device by the policy of the project.
struct DeviceAttestationVerifier {
    let policy: DeviceAttestationPolicy
    let secrets: EndorsementSecrets
    let now: Timestamp

    private typealias Vouched = DeviceAttestation.Vouched

    /// - Parameter facts: The attributes that the device reports. A serial number that differs from
    ///   the attested one is refused.
    func verify(
        _ evidence: DeviceAttestation.Evidence?, of message: DeviceRegistrationMessage,
        nonce: String
    ) async -> Result<DeviceAttestation.Vouched, Refusal> {
        guard !policy.formats.isEmpty else { return .success(Vouched()) }
        guard let evidence, policy.formats.contains(evidence.format.rawValue) else {
            return .failure(
                DeviceAttestation.refusal(
                    "attestation_missing",
                    "Bring evidence of the keys: " + policy.formats.joined(separator: " or ")
                        + ".", "format \(evidence?.format.rawValue ?? "none")"))
        }
        do throws(AttestationRefusal) {
            let vouched = try await verify(evidence, message, nonce)
            try check(
                vouched.serial, message.facts.serial, "the serial number", DeviceAttributes.compared
            )
            try check(vouched.udid, message.facts.udid, "the UDID") { $0 }
            return .success(vouched)
        } catch {
            return .failure(DeviceAttestation.refused(error))
        }
    }

    func check(
        _ vouched: String?, _ claimed: String, _ name: String,
        _ compared: (_ serial: String) -> String
    ) throws(AttestationRefusal) {
        guard let vouched, !claimed.isEmpty,
            !compared(vouched).hasSameBytes(as: compared(claimed))
        else { return }
        throw AttestationRefusal(.deviceIdentifierMismatch, "\(name) is \(vouched)")
    }

    private func verify(
        _ evidence: DeviceAttestation.Evidence, _ message: DeviceRegistrationMessage,
        _ nonce: String
    ) async throws(AttestationRefusal) -> DeviceAttestation.Vouched {
        let challenge = DeviceAttestation.challenge(
            nonce: nonce, signing: message.signing, encryption: message.encryption)
        func expecting(_ key: PublicJWK) -> AttestationExpectation {
            AttestationExpectation(challenge: challenge, key: key, now: now)
        }
        switch evidence {
        case .apple(let signing, let encryption):
            let verifier = AppleDeviceVerifier(roots: RootKeys(base64: policy.appleRoots))
            let device = try await verifier.check(
                UnverifiedAppleDevice(certificates: signing), expecting: expecting(message.signing))
            if let encryption {
                _ = try await verifier.check(
                    UnverifiedAppleDevice(certificates: encryption),
                    expecting: expecting(message.encryption))
            }
            return summary(of: device, attestsEncryption: encryption != nil)
        case .tpm(let key):
            let verified = try await TPMKeyVerifier(
                trust: trust(in: key, nonce), boot: BootRegisters.requirement(of: policy)
            ).check(key, expecting: expecting(message.signing))
            return summary(of: verified)
        }
    }

    /// A returned secret is the strongest evidence. It is required if the policy has no other trust
    /// anchor.
    func trust(in key: UnverifiedTPMKey, _ nonce: String) -> TPMAttestationKeyTrust {
        let isOnly = policy.tpmRoots.isEmpty && policy.tpmKeys.isEmpty
        if let verifier = policy.endorsements, isOnly || key.activation != nil {
            return .endorsed(verifier) { [secrets] in secrets.secret(for: $0, nonce: nonce) }
        }
        guard policy.tpmRoots.isEmpty else {
            return .certified(roots: RootKeys(base64: policy.tpmRoots), vendors: nil)
        }
        return .known(
            policy.tpmKeys.compactMap { try? PublicJWK(base64DER: $0) })
    }

    private func summary(
        of device: VerifiedAppleDevice, attestsEncryption: Bool
    ) -> DeviceAttestation.Vouched {
        var object = head(.apple)
        object["serial_number"] = device.serialNumber.map(JSONValue.string)
        object["udid"] = device.deviceIdentifier.map(JSONValue.string)
        object["encryption_key"] = .bool(attestsEncryption)
        return Vouched(
            summary: JSONValue.object(object).text, serial: device.serialNumber,
            udid: device.deviceIdentifier)
    }

    private func summary(of key: VerifiedTPMKey) -> DeviceAttestation.Vouched {
        var object = head(.tpm)
        object["attestation_key"] = .string(key.attestationKey.thumbprintText)
        let endorsementKey = key.endorsement?.key.thumbprintText
        object["endorsement_key"] = endorsementKey.map(JSONValue.string)
        object["manufacturer"] = (key.endorsement?.maker.vendor).map(JSONValue.string)
        object["pcrs"] = key.quote.map { quote in
            .object(
                JSONObject(
                    quote.values.sorted { $0.key < $1.key }.map {
                        .init(name: String($0.key), value: .string(Hexadecimal.encode($0.value)))
                    }))
        }
        return Vouched(
            summary: JSONValue.object(object).text, endorsementKey: endorsementKey)
    }

    private func head(_ format: DeviceAttestation.Format) -> JSONObject {
        var object = JSONObject([.init(name: "format", value: .string(format.rawValue))])
        object["verified_at"] = .string(now.rfc3339)
        return object
    }
}
