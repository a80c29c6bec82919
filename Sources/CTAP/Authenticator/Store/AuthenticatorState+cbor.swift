// SPDX-License-Identifier: Apache-2.0
import CBOR
package import Primitives
import WebAuthn

/// The form in which the state is written: a CBOR map with numbered members, as CTAP's messages.
extension AuthenticatorState {
    private static let form: UInt8 = 1
    /// 1 MiB holds 2,000 credentials and the largest blobs.
    private static let profile: CBORProfile = {
        var profile = CBORProfile.ctap2
        profile.maximumDepth = 5
        profile.maximumSize = 1 << 20
        profile.maximumItems = 1 << 17
        return profile
    }()

    package func encode() -> Secret {
        let secrets = LentSecrets()
        var bytes: [UInt8] = []
        // An array that grows leaves copies behind.
        bytes.reserveCapacity(4096 + largeBlobArray.count + 2048 * credentials.count)
        withExtendedLifetime(secrets) { cbor(secrets).append(to: &bytes, ordering: .ctap2) }
        defer { Secret.overwrite(bytes) }
        return Secret(bytes)
    }

    private func cbor(_ secrets: LentSecrets) -> CBORValue {
        var writer = CTAPMapWriter()
        writer.set(0, octet: Self.form)
        writer.set(1, bytes: secrets.lend(attestationKey))
        writer.set(2, bytes: attestationCertificate)
        writer.set(3, bytes: secrets.lend(credentialKey))
        writer.set(4, bytes: deviceIdentifier)
        writer.set(5, bytes: credentialStoreState)
        writer.set(6, unsigned: UInt64(signCount))
        writer.set(7, .array(credentials.map { Self.cbor($0, secrets) }))
        writer.set(8, unsigned: nextOrder)
        writer.set(9, bytes: (pin?.hash).map(secrets.lend))
        writer.set(10, count: pin?.codePoints)
        writer.set(11, count: pinRetries)
        writer.set(12, count: verificationRetries)
        writer.set(13, count: minimumPINLength)
        writer.set(14, texts: minimumPINLengthRPIDs)
        writer.set(15, bool: forcesPINChange)
        writer.set(16, bytes: persistentToken.map(secrets.lend))
        writer.set(17, bool: alwaysVerifies)
        writer.set(18, bool: attestsEnterprise)
        writer.set(19, bool: longTouchForReset)
        writer.set(20, .array(fingerprints.map(\.cbor)))
        writer.set(21, bytes: largeBlobArray)
        return writer.cbor
    }

    /// Reads what ``encode()`` wrote; anything else is refused.
    package init(cbor encoded: Secret) throws(AuthenticatorStoreError) {
        let bytes = encoded.reveal()
        // The state contains copies of the bytes.
        defer { Secret.overwrite(bytes) }
        do { self = try Self.read(bytes) } catch { throw .damaged }
    }

    private static func read(_ bytes: [UInt8]) throws(CTAPMessageError) -> AuthenticatorState {
        let value: CBORValue
        do { value = try CBORValue.decode(bytes, profile: profile) } catch { throw .cbor(error) }
        let reader = try CTAPMapReader(value, "state")
        guard try reader.octet(0, "form") == form else { throw .outOfRange("form") }
        func member(_ key: MemberKey, _ name: String) throws(CTAPMessageError) -> [UInt8] {
            try reader.required(try reader.bytes(key, name), name)
        }
        var state = AuthenticatorState(
            random: NoRandom(), attestationKey: secret(try member(1, "attestationKey")),
            attestationCertificate: try member(2, "attestationCertificate"))
        state.credentialKey = secret(try member(3, "credentialKey"))
        state.deviceIdentifier = try member(4, "deviceIdentifier")
        state.credentialStoreState = try member(5, "credentialStoreState")
        state.signCount = UInt32(clamping: try required(reader, 6))
        state.credentials = try reader.list(7, "credentials", Self.credential) ?? []
        state.nextOrder = try required(reader, 8)
        try state.readPIN(reader)
        try state.readSettings(reader)
        return state
    }

    private static func secret(_ bytes: consuming [UInt8]) -> Secret { Secret(wiping: &bytes) }

    private static func required(
        _ reader: CTAPMapReader, _ key: MemberKey
    ) throws(CTAPMessageError) -> UInt64 {
        try reader.required(try reader.unsigned(key, "number"), "number")
    }

    private mutating func readPIN(_ reader: CTAPMapReader) throws(CTAPMessageError) {
        if let hash = try reader.bytes(9, "pinHash", lengths: 16...16) {
            let length = try reader.required(try reader.count(10, "pinLength"), "pinLength")
            pin = StoredPIN(hash: Self.secret(hash), codePoints: length)
        }
        // A counter that is absent is a damaged store, not eight new tries.
        pinRetries = try reader.required(
            try reader.count(11, "pinRetries", in: 0...Self.maximumPINRetries), "pinRetries")
        verificationRetries = try reader.required(
            try reader.count(12, "uvRetries", in: 0...Self.maximumVerificationRetries),
            "uvRetries")
        minimumPINLength = try reader.required(
            try reader.count(13, "minPINLength", in: 4...63), "minPINLength")
        minimumPINLengthRPIDs = try reader.texts(14, "minPINLengthRPIDs") ?? []
        forcesPINChange = try reader.bool(15, "forcePINChange") ?? false
        persistentToken = try reader.bytes(16, "persistentToken", lengths: 32...32)
            .map(Self.secret)
    }

    private mutating func readSettings(_ reader: CTAPMapReader) throws(CTAPMessageError) {
        alwaysVerifies = try reader.required(try reader.bool(17, "alwaysUv"), "alwaysUv")
        attestsEnterprise = try reader.bool(18, "ep") ?? false
        longTouchForReset = try reader.bool(19, "longTouchForReset") ?? false
        fingerprints = try reader.list(20, "fingerprints", FingerprintTemplate.init) ?? []
        largeBlobArray = try reader.required(
            try reader.bytes(21, "largeBlobArray"), "largeBlobArray")
    }

    // MARK: Credentials

    private static func cbor(
        _ credential: AuthenticatorCredential, _ secrets: LentSecrets
    ) -> CBORValue {
        var writer = CTAPMapWriter()
        writer.set(1, bytes: credential.id)
        writer.set(2, bytes: credential.rpIdHash)
        writer.set(3, .integer(credential.key.algorithm.rawValue))
        writer.set(4, bytes: secrets.lend(credential.key.raw))
        writer.set(5, octet: credential.protection.rawValue)
        writer.set(6, bool: credential.thirdPartyPayment)
        if credential.key.isInHardware { writer.set(12, bool: true) }
        if let kept = credential.discoverable {
            writer.set(7, kept.rp.cbor)
            writer.set(8, kept.user.cbor)
            writer.set(9, unsigned: kept.order)
            writer.set(10, bytes: kept.blob)
            writer.set(11, bytes: kept.largeBlobKey)
        }
        return writer.cbor
    }

    private static func credential(
        _ value: CBORValue
    ) throws(CTAPMessageError) -> AuthenticatorCredential {
        let reader = try CTAPMapReader(value, "credential")
        func bytes(_ key: MemberKey) throws(CTAPMessageError) -> [UInt8] {
            try reader.required(try reader.bytes(key, "bytes"), "bytes")
        }
        guard let algorithm = reader.value(3)?.int64.flatMap(COSEAlgorithm.init(rawValue:)),
            let key = key(
                algorithm, secret(try bytes(4)), isInHardware: try reader.bool(12, "hardware")),
            let protection = try reader.octet(5, "credProtect")
                .flatMap(CredentialProtection.init(rawValue:)),
            let rp = reader.value(7), let user = reader.value(8)
        else { throw .outOfRange("credential") }
        return AuthenticatorCredential(
            id: try bytes(1), rpIdHash: try bytes(2), key: key, protection: protection,
            thirdPartyPayment: try reader.bool(6, "thirdPartyPayment") ?? false,
            discoverable: AuthenticatorCredential.Discoverable(
                rp: try CTAPRelyingParty(rp), user: try CTAPUser(user),
                order: try required(reader, 9), blob: try bytes(10),
                largeBlobKey: try reader.bytes(11, "largeBlobKey", lengths: 32...32)))
    }
}

extension AuthenticatorState {
    private static func key(
        _ algorithm: COSEAlgorithm, _ raw: Secret, isInHardware: Bool?
    ) -> CredentialPrivateKey? {
        guard isInHardware ?? false else { return CredentialPrivateKey(algorithm, raw: raw) }
        return raw.withBytes { HardwareKey(encoded: $0).map { .hardware($0) } }
    }
}

/// A source of zeros, for values that are overwritten at once.
private struct NoRandom: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
