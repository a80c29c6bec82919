// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import SSOExtensions
package import SingleSignOn
import UserClient

/// The calls of an extension's process, as the agent's login manager answers them.
package struct LoginManagerProxy: ExtensionCallHandler {
    private let manager: any ExtensionLoginManager

    package init(_ manager: any ExtensionLoginManager) { self.manager = manager }

    package func answer(
        _ call: ExtensionCall
    ) async throws(ExtensionCallRefusal) -> ExtensionCallResponse {
        do {
            return try await answered(call)
        } catch let error as ExtensionCallRefusal {
            throw error
        } catch let error as PresentationError {
            throw switch error {
            case .notAllowed: .init(.notInteractive, "user interaction is not allowed now")
            case .cancelled: .init(.canceled, "the person cancelled")
            case .callOver: .init(.notOpen, "the call has ended")
            }
        } catch let error as KeyPINError {
            throw error == .needed
                ? .init(.notInteractive, "the PIN cannot be entered now")
                : .init(.keyUnavailable, error.description)
        } catch let error as AgentRefusal {
            throw .init(.keyUnavailable, error.description)
        } catch is KeyStoreError {
            throw .init(.keyUnavailable, "there is no such key")
        } catch let error as PlatformSSORefusal {
            throw .init(.malformed, "the configuration is not right: \(error.reason)")
        } catch {
            throw .init(.failed, "the agent could not do it")
        }
    }

    private func answered(_ call: ExtensionCall) async throws -> ExtensionCallResponse {
        switch call {
        case .key(let key): return .key(try await self.key(key)?.publicKey)
        case .sign(let key, let algorithm, let message):
            guard algorithm == .es256 else { throw Self.notOffered }
            return .data(try await manager.sign(message, with: try await present(key)))
        case .agree(let key, let other):
            return .data(try await manager.agree(try await present(key), with: other).reveal())
        case .certificates(let type):
            return .certificates(await manager.certificates(of: try role(type)))
        case .resetDeviceKeys:
            _ = try await manager.resetDeviceKeys()
            return .done
        case .resetKeys:
            _ = try await manager.resetDeviceKeys()
            // The registration of a device has no person.
            if manager.authenticationMethod == .userSecureEnclaveKey, await manager.person != nil {
                _ = try await manager.resetUserKey()
            }
            return .done
        case .resetUserSecureEnclaveKey:
            _ = try await manager.resetUserKey()
            return .done
        case .saveLoginConfiguration(let json):
            try await manager.saveLoginConfiguration(LoginConfiguration(json: json))
            return .done
        case .saveUserLoginConfiguration(let json):
            try await manager.saveUserLoginConfiguration(UserLoginConfiguration(json: json))
            return .done
        case .saveLoginUserName(let name):
            try await manager.saveLoginUserName(name)
            return .done
        case .saveTokens(let tokens):
            try await manager.saveTokens(tokens)
            return .done
        case .saveCertificate(let certificate, let type):
            try await manager.saveCertificate(certificate, of: try role(type))
            return .done
        case .beginKeyRotation(let type):
            return .key(try await manager.beginRotation(of: try role(type)).publicKey)
        case .completeKeyRotation(let type):
            try await manager.completeRotation(of: try role(type))
            return .done
        case .userNeedsReauthentication: return try await request(.reauthentication)
        case .deviceRegistrationNeedsRepair: return try await request(.deviceRepair)
        case .userRegistrationNeedsRepair: return try await request(.personRepair)
        case .decryptionKeysNeedRepair: return try await request(.decryptionKeys)
        // What is to be shown comes with the first question.
        case .present: return .done
        case .ask(let question): return try await ask(question)
        case .attest(let key, _): throw Self.noCertificates(of: try await present(key))
        case .attestationStatement(let key, let hash):
            return .data(try await statement(of: try await present(key), for: hash))
        }
    }

    private func request(_ need: ExtensionRepairReason) async throws -> ExtensionCallResponse {
        try await manager.request(need)
        return .done
    }

    // MARK: Keys

    private func key(_ reference: ExtensionKeyReference) async throws -> AgentKey? {
        if reference.isPending { return await manager.pendingKey(try role(reference.type)) }
        switch reference.type {
        case .userDeviceSigning: return try await pair(isShared: false)?.signing
        case .userDeviceEncryption: return try await pair(isShared: false)?.encryption
        case .sharedDeviceSigning: return try await pair(isShared: true)?.signing
        case .sharedDeviceEncryption: return try await pair(isShared: true)?.encryption
        case .currentDeviceSigning: return try await manager.deviceKeys().signing
        case .currentDeviceEncryption: return try await manager.deviceKeys().encryption
        case .userSecureEnclaveKey: return try await manager.userKey()
        case .userSmartCard: return nil
        }
    }

    /// Those that the call is about, or those whose place they take in a migration.
    private func pair(isShared: Bool) async throws -> DeviceKeyPairs? {
        guard (manager.owner == .everyone) == isShared else { return await manager.formerKeys }
        return try await manager.deviceKeys()
    }

    /// - Throws: For the card, whose key cannot be changed from here.
    private func role(_ type: ExtensionKeyType) throws(ExtensionCallRefusal) -> AgentKeyRole {
        switch type {
        case .userDeviceSigning, .sharedDeviceSigning, .currentDeviceSigning: .deviceSigning
        case .userDeviceEncryption, .sharedDeviceEncryption, .currentDeviceEncryption:
            .deviceEncryption
        case .userSecureEnclaveKey: .person
        case .userSmartCard: throw .init(.keyUnavailable, "a card is not stored here")
        }
    }

    private func present(_ reference: ExtensionKeyReference) async throws -> AgentKey {
        guard let key = try await key(reference) else {
            throw ExtensionCallRefusal(.keyUnavailable, "there is no such key")
        }
        return key
    }

    // MARK: Attestation

    /// Apple's call returns certificates, the first of them of the key. A TPM issues none: it signs
    /// a statement, which the provider verifies.
    private static func noCertificates(of key: AgentKey) -> ExtensionCallRefusal {
        key.kind == .tpm
            ? .init(
                .statementOnly,
                "a TPM certifies no keys; attestationStatement(ofType:clientDataHash:) has what it "
                    + "states")
            : notInHardware
    }

    private func statement(of key: AgentKey, for hash: [UInt8]) async throws -> [UInt8] {
        guard key.guarded == nil else { throw KeyPINError.needed }
        guard let attestation = try await manager.attest(key, challenge: hash) else {
            throw Self.notInHardware
        }
        return attestation.json.bytes
    }

    private static let notInHardware = ExtensionCallRefusal(
        .notInHardware, "the keys of this device are not in a TPM")

    // MARK: People

    private func ask(_ question: ExtensionPrompt) async throws -> ExtensionCallResponse {
        switch question {
        case .notice(let text):
            _ = try await manager.present(.notice(text))
            return .done
        case .line(let text):
            return .text(Secret(try await manager.present(.line(text, suggestion: nil))))
        case .secret(let text): return .text(Secret(try await manager.present(.secret(text))))
        case .choice(let text, let choices):
            let answer = try await manager.present(.choice(text, choices))
            guard let index = choices.firstIndex(of: answer) else {
                throw ExtensionCallRefusal(.canceled, "none was chosen")
            }
            return .choice(index)
        case .page(let url, let code):
            guard ProviderEndpoints.isProtected(url) else {
                throw ExtensionCallRefusal(.malformed, "a page has an https address")
            }
            let page = code.map { DeviceCodeInstructions(url: url, code: $0, completeURL: url) }
            _ = try await manager.present(page.map(AgentPrompt.code) ?? .page(url))
            return .done
        }
    }

    private static let notOffered = ExtensionCallRefusal(.failed, "this agent does not offer that")
}
