// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A call of an extension to the agent while a request is open: the login manager's methods.
package enum ExtensionCall: Sendable, Equatable {
    // MARK: Keys

    /// The public key; the response is ``ExtensionCallResponse/key(_:)``.
    case key(ExtensionKeyReference)
    /// A signature over the message in JOSE's form; the response is `data`.
    case sign(ExtensionKeyReference, JWSAlgorithm, message: [UInt8])
    /// The X coordinate of the key agreement with that public key; the response is `data`.
    case agree(ExtensionKeyReference, with: PublicJWK)
    /// The certificates of a key, leaf first; the response is `certificates`, possibly empty.
    case certificates(ExtensionKeyType)
    /// An attestation that the key is in hardware, bound to that hash; the response is
    /// `certificates`.
    case attest(ExtensionKeyReference, clientDataHash: [UInt8])
    /// The hardware's statement about the key, bound to that hash; the response is `data`.
    case attestationStatement(ExtensionKeyReference, clientDataHash: [UInt8])
    /// Creates a pending key; the response is `key`.
    case beginKeyRotation(ExtensionKeyType)
    case completeKeyRotation(ExtensionKeyType)
    case resetKeys
    case resetDeviceKeys
    case resetUserSecureEnclaveKey

    // MARK: Stored state

    case saveCertificate([UInt8], ExtensionKeyType)
    case saveLoginConfiguration(JSONObject)
    case saveUserLoginConfiguration(JSONObject)
    case saveLoginUserName(String?)
    case saveTokens(JSONObject?)

    // MARK: What is to happen

    case userNeedsReauthentication
    case deviceRegistrationNeedsRepair
    case userRegistrationNeedsRepair
    case decryptionKeysNeedRepair

    // MARK: What the person sees

    case present
    case ask(ExtensionPrompt)

    package enum Kind: String, Sendable, CaseIterable {
        case key
        case sign
        case agree
        case certificates
        case attest
        case attestationStatement = "attestation_statement"
        case beginKeyRotation = "begin_key_rotation"
        case completeKeyRotation = "complete_key_rotation"
        case resetKeys = "reset_keys"
        case resetDeviceKeys = "reset_device_keys"
        case resetUserSecureEnclaveKey = "reset_user_secure_enclave_key"
        case saveCertificate = "save_certificate"
        case saveLoginConfiguration = "save_login_configuration"
        case saveUserLoginConfiguration = "save_user_login_configuration"
        case saveLoginUserName = "save_login_user_name"
        case saveTokens = "save_tokens"
        case userNeedsReauthentication = "user_needs_reauthentication"
        case deviceRegistrationNeedsRepair = "device_registration_needs_repair"
        case userRegistrationNeedsRepair = "user_registration_needs_repair"
        case decryptionKeysNeedRepair = "decryption_keys_need_repair"
        case present
        case ask
    }

    package static let maximumMessageBytes = 262_144

    package var kind: Kind {
        switch self {
        case .key: .key
        case .sign: .sign
        case .agree: .agree
        case .certificates: .certificates
        case .attest: .attest
        case .attestationStatement: .attestationStatement
        case .beginKeyRotation: .beginKeyRotation
        case .completeKeyRotation: .completeKeyRotation
        case .resetKeys: .resetKeys
        case .resetDeviceKeys: .resetDeviceKeys
        case .resetUserSecureEnclaveKey: .resetUserSecureEnclaveKey
        case .saveCertificate: .saveCertificate
        case .saveLoginConfiguration: .saveLoginConfiguration
        case .saveUserLoginConfiguration: .saveUserLoginConfiguration
        case .saveLoginUserName: .saveLoginUserName
        case .saveTokens: .saveTokens
        case .userNeedsReauthentication: .userNeedsReauthentication
        case .deviceRegistrationNeedsRepair: .deviceRegistrationNeedsRepair
        case .userRegistrationNeedsRepair: .userRegistrationNeedsRepair
        case .decryptionKeysNeedRepair: .decryptionKeysNeedRepair
        case .present: .present
        case .ask: .ask
        }
    }

    /// The key of the call; `nil` if it has none.
    package var keyType: ExtensionKeyType? {
        switch self {
        case .key(let key), .sign(let key, _, _), .agree(let key, _), .attest(let key, _),
            .attestationStatement(let key, _):
            key.type
        case .certificates(let type), .beginKeyRotation(let type), .completeKeyRotation(let type),
            .saveCertificate(_, let type):
            type
        default: nil
        }
    }
}
