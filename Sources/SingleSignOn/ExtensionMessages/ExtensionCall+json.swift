// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

extension ExtensionCall {
    var json: JSONObject {
        var object = JSONObject([.init(name: "call", value: .string(kind.rawValue))])
        if let keyType { object["key_type"] = .integer(Int64(keyType.rawValue)) }
        switch self {
        case .key(let key): object["pending"] = .bool(key.isPending)
        case .sign(let key, let algorithm, let message):
            object["pending"] = .bool(key.isPending)
            object["algorithm"] = .string(algorithm.rawValue)
            object["message"] = .string(Base64URL.encode(message))
        case .agree(let key, let other):
            object["pending"] = .bool(key.isPending)
            object["public_key"] = other.json
        case .attest(let key, let hash), .attestationStatement(let key, let hash):
            object["pending"] = .bool(key.isPending)
            object["client_data_hash"] = .string(Base64URL.encode(hash))
        case .saveCertificate(let certificate, _):
            object["certificate"] = .string(Base64URL.encode(certificate))
        case .saveLoginConfiguration(let configuration),
            .saveUserLoginConfiguration(let configuration):
            object["configuration"] = .object(configuration)
        case .saveLoginUserName(let name): object["user_name"] = name.map { .string($0) }
        case .saveTokens(let tokens): object["tokens"] = tokens.map { .object($0) }
        case .ask(let question): object["question"] = .object(question.json)
        default: break
        }
        return object
    }

    init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        let kind: Kind = try reader.required("call", .choice)
        if let call = try Self.keyCall(kind, reader) {
            self = call
        } else {
            self = try Self.otherCall(kind, reader)
        }
        try reader.finish()
    }

    private static func keyCall(
        _ kind: Kind, _ reader: JSONReader<ExtensionMessageError>
    ) throws(ExtensionMessageError) -> ExtensionCall? {
        func key() throws(ExtensionMessageError) -> ExtensionKeyReference {
            .init(
                try reader.required("key_type", .choice),
                isPending: try reader.required("pending", .bool))
        }
        switch kind {
        case .key: return .key(try key())
        case .sign:
            return .sign(
                try key(), try reader.required("algorithm", .choice),
                message: try reader.required("message", .base64url(0...maximumMessageBytes)))
        case .agree:
            return .agree(try key(), with: try reader.required("public_key", .publicKey))
        case .attest:
            return .attest(
                try key(),
                clientDataHash: try reader.required("client_data_hash", .base64url(0...64)))
        case .attestationStatement:
            return .attestationStatement(
                try key(),
                clientDataHash: try reader.required("client_data_hash", .base64url(0...64)))
        case .certificates: return .certificates(try reader.required("key_type", .choice))
        case .beginKeyRotation: return .beginKeyRotation(try reader.required("key_type", .choice))
        case .completeKeyRotation:
            return .completeKeyRotation(try reader.required("key_type", .choice))
        case .saveCertificate:
            return .saveCertificate(
                try reader.required("certificate", .base64url(0...16_384)),
                try reader.required("key_type", .choice))
        default: return nil
        }
    }

    private static func otherCall(
        _ kind: Kind, _ reader: JSONReader<ExtensionMessageError>
    ) throws(ExtensionMessageError) -> ExtensionCall {
        switch kind {
        case .resetKeys: return .resetKeys
        case .resetDeviceKeys: return .resetDeviceKeys
        case .resetUserSecureEnclaveKey: return .resetUserSecureEnclaveKey
        case .saveLoginConfiguration:
            return .saveLoginConfiguration(try reader.required("configuration", .object))
        case .saveUserLoginConfiguration:
            return .saveUserLoginConfiguration(try reader.required("configuration", .object))
        case .saveLoginUserName: return .saveLoginUserName(try reader.optional("user_name", .text))
        case .saveTokens: return .saveTokens(try reader.optional("tokens", .object))
        case .userNeedsReauthentication: return .userNeedsReauthentication
        case .deviceRegistrationNeedsRepair: return .deviceRegistrationNeedsRepair
        case .userRegistrationNeedsRepair: return .userRegistrationNeedsRepair
        case .decryptionKeysNeedRepair: return .decryptionKeysNeedRepair
        case .present: return .present
        case .ask: return .ask(try ExtensionPrompt(json: try reader.required("question", .object)))
        default: throw ExtensionMessageError(.unknownKind, "call")
        }
    }
}
