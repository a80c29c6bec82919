// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import Primitives
import WebAuthn

/// `authenticatorGetInfo` (CTAP 2.1 section 6.4, with members of 2.2 and 2.3).
struct GetInfoCommand {
    func run(_ machine: AuthenticatorMachine) throws(CTAPStatus) -> AuthenticatorInfo {
        let (configuration, state) = (machine.configuration, machine.state)
        guard let aaguid = AAGUID(configuration.aaguid) else { throw .other }
        let u2f = configuration.speaksU2F && !state.alwaysVerifies ? ["U2F_V2"] : []
        let preview = configuration.knowsPreviewCommands ? ["FIDO_2_1_PRE"] : []
        var info = AuthenticatorInfo(
            versions: u2f + ["FIDO_2_0"] + preview + ["FIDO_2_1"], aaguid: aaguid)
        info.extensions = [
            "credBlob", "credProtect", "hmac-secret", "hmac-secret-mc", "largeBlobKey",
            "minPinLength", "thirdPartyPayment",
        ]
        info.options = Self.options(machine)
        info.pinUvAuthProtocols = [2, 1]
        info.transports = configuration.transports
        info.algorithms = machine.algorithms.map {
            CTAPCredentialParameters(algorithm: $0.rawValue)
        }
        info.forcePINChange = state.forcesPINChange
        info.firmwareVersion = configuration.firmwareVersion
        if configuration.verification != .none {
            info.preferredPlatformUvAttempts = 1
            // Fingerprint internal, or all methods of the platform (FIDO registry, section 3.1).
            info.uvModality = configuration.verification == .fingerprint ? 0x02 : 0x400
        }
        info.attestationFormats = ["packed", "none"]
        info.longTouchForReset = state.longTouchForReset
        info.transportsForReset = configuration.transports
        info.authenticatorConfigCommands =
            (configuration.enterpriseRPIDs == nil ? [] : [1]) + [2, 3, 4]
        Self.addLimits(&info, machine)
        try Self.addPersistentMembers(&info, machine)
        return info
    }

    private static func addLimits(
        _ info: inout AuthenticatorInfo, _ machine: AuthenticatorMachine
    ) {
        let configuration = machine.configuration
        info.maxMsgSize = configuration.maximumMessageSize
        info.maxCredentialCountInList = configuration.maximumCredentialCountInList
        // The key handle of a TPM has several hundred bytes.
        info.maxCredentialIdLength = machine.hardware == nil ? 128 : 1023
        info.maxSerializedLargeBlobArray = configuration.maximumLargeBlobArray
        info.minPINLength = machine.state.minimumPINLength
        info.maxPINLength = ClientPIN.greatestLength
        info.maxCredBlobLength = configuration.maximumCredentialBlob
        info.maxRPIDsForSetMinPINLength = configuration.maximumMinPINLengthRPIDs
        info.remainingDiscoverableCredentials = machine.remainingCredentials
    }

    private static func options(_ machine: AuthenticatorMachine) -> [String: Bool] {
        let (configuration, state) = (machine.configuration, machine.state)
        var options = [
            "rk": true, "up": true, "plat": configuration.isPlatform, "clientPin": state.pin != nil,
            "pinUvAuthToken": true, "largeBlobs": true, "credMgmt": true, "authnrCfg": true,
            "setMinPINLength": true, "alwaysUv": state.alwaysVerifies,
            "makeCredUvNotRqd": !state.alwaysVerifies, "perCredMgmtRO": true,
        ]
        if configuration.verification != .none {
            options["uv"] = machine.verifiesByItself
            options["uvAcfg"] = true
        }
        if configuration.verification == .fingerprint {
            options["bioEnroll"] = !state.fingerprints.isEmpty
            options["uvBioEnroll"] = true
        }
        if configuration.enterpriseRPIDs != nil { options["ep"] = state.attestsEnterprise }
        if configuration.knowsPreviewCommands {
            options["credentialMgmtPreview"] = true
            options["userVerificationMgmtPreview"] = options["bioEnroll"]
        }
        return options
    }

    /// Adds the members that only the owner of a persistent token can decrypt: an identifier of the
    /// key, and a value that changes with its credentials.
    private static func addPersistentMembers(
        _ info: inout AuthenticatorInfo, _ machine: AuthenticatorMachine
    ) throws(CTAPStatus) {
        guard let token = machine.state.persistentToken else { return }
        info.encIdentifier = try encrypted(
            machine.state.deviceIdentifier, token, "encIdentifier", machine.random)
        info.encCredStoreState = try encrypted(
            machine.state.credentialStoreState, token, "encCredStoreState", machine.random)
    }

    /// Returns the IV and the AES-128-CBC ciphertext under a key that HKDF derives from the token.
    private static func encrypted(
        _ bytes: [UInt8], _ token: Secret, _ label: String, _ random: any RandomSource
    ) throws(CTAPStatus) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: token.withBytes { SymmetricKey(data: $0) },
            salt: [UInt8](repeating: 0, count: 32), info: Array(label.utf8), outputByteCount: 16)
        let iv = random.bytes(16)
        do {
            return iv
                + Array(
                    try AES._CBC.encrypt(
                        bytes, using: key, iv: AES._CBC.IV(ivBytes: iv), noPadding: true))
        } catch { throw .other }
    }
}
