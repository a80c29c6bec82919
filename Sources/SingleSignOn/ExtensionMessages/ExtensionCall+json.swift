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
        var reader = ExtensionMessageReader(json)
        let kind: Kind = try reader.choice("call")
        if let call = try Self.keyCall(kind, &reader) {
            self = call
        } else {
            self = try Self.otherCall(kind, &reader)
        }
        try reader.finish()
    }

    private static func keyCall(
        _ kind: Kind, _ reader: inout ExtensionMessageReader
    ) throws(ExtensionMessageError) -> ExtensionCall? {
        func key(
            _ reader: inout ExtensionMessageReader
        ) throws(ExtensionMessageError)
            -> ExtensionKeyReference
        { .init(try reader.choice("key_type"), isPending: try reader.flag("pending")) }
        switch kind {
        case .key: return .key(try key(&reader))
        case .sign:
            return .sign(
                try key(&reader), try reader.choice("algorithm"),
                message: try reader.bytes("message", maximum: maximumMessageBytes))
        case .agree: return .agree(try key(&reader), with: try reader.key("public_key"))
        case .attest:
            return .attest(
                try key(&reader),
                clientDataHash: try reader.bytes("client_data_hash", maximum: 64))
        case .attestationStatement:
            return .attestationStatement(
                try key(&reader),
                clientDataHash: try reader.bytes("client_data_hash", maximum: 64))
        case .certificates: return .certificates(try reader.choice("key_type"))
        case .beginKeyRotation: return .beginKeyRotation(try reader.choice("key_type"))
        case .completeKeyRotation: return .completeKeyRotation(try reader.choice("key_type"))
        case .saveCertificate:
            return .saveCertificate(
                try reader.bytes("certificate", maximum: 16_384), try reader.choice("key_type"))
        default: return nil
        }
    }

    private static func otherCall(
        _ kind: Kind, _ reader: inout ExtensionMessageReader
    ) throws(ExtensionMessageError) -> ExtensionCall {
        switch kind {
        case .resetKeys: return .resetKeys
        case .resetDeviceKeys: return .resetDeviceKeys
        case .resetUserSecureEnclaveKey: return .resetUserSecureEnclaveKey
        case .saveLoginConfiguration:
            return .saveLoginConfiguration(try reader.object("configuration"))
        case .saveUserLoginConfiguration:
            return .saveUserLoginConfiguration(try reader.object("configuration"))
        case .saveLoginUserName: return .saveLoginUserName(try reader.optionalText("user_name"))
        case .saveTokens: return .saveTokens(try reader.optionalObject("tokens"))
        case .userNeedsReauthentication: return .userNeedsReauthentication
        case .deviceRegistrationNeedsRepair: return .deviceRegistrationNeedsRepair
        case .userRegistrationNeedsRepair: return .userRegistrationNeedsRepair
        case .decryptionKeysNeedRepair: return .decryptionKeysNeedRepair
        case .present: return .present
        case .ask: return .ask(try ExtensionPrompt(json: try reader.object("question")))
        default: throw ExtensionMessageError(.unknownKind, "call")
        }
    }
}
