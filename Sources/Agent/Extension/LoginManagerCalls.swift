// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import SSOExtensions
package import SingleSignOn

/// The calls of an extension's process, as the agent's login manager answers them.
package struct LoginManagerCalls: ExtensionCallHandler {
    private let manager: any ExtensionLoginManager

    package init(_ manager: any ExtensionLoginManager) { self.manager = manager }

    package func answer(
        _ call: ExtensionCall
    ) async throws(ExtensionCallRefusal) -> ExtensionCallAnswer {
        do {
            return try await answered(call)
        } catch let error as ExtensionCallRefusal {
            throw error
        } catch let error as PresentationError {
            throw switch error {
            case .notAllowed: .init(.notInteractive, "nothing may be shown now")
            case .cancelled: .init(.canceled, "the person gave up")
            case .callOver: .init(.notOpen, "the call is over")
            }
        } catch let error as PlatformSSORefusal {
            throw .init(.malformed, "the configuration is not right: \(error.reason)")
        } catch {
            throw .init(.failed, "the agent could not do it")
        }
    }

    private func answered(_ call: ExtensionCall) async throws -> ExtensionCallAnswer {
        switch call {
        case .key(let key): return .key(try await self.key(key)?.publicKey)
        case .sign(let key, let algorithm, let message):
            guard algorithm == .es256 else { throw Self.notOffered }
            return .data(try await manager.sign(message, with: try await present(key)))
        case .agree(let key, let other):
            return .data(try await manager.agree(try await present(key), with: other).reveal())
        case .certificates: return .certificates([])
        case .resetDeviceKeys, .resetKeys:
            _ = try await manager.resetDeviceKeys()
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
        // What is to be shown comes with the first question.
        case .present: return .done
        case .ask(let question): return try await ask(question)
        default: throw Self.notOffered
        }
    }

    // MARK: Keys

    private func key(_ reference: ExtensionKeyReference) async throws -> AgentKey? {
        guard !reference.isPending else { return nil }
        switch reference.type {
        case .userDeviceSigning, .sharedDeviceSigning, .currentDeviceSigning:
            return try await manager.deviceKeys().signing
        case .userDeviceEncryption, .sharedDeviceEncryption, .currentDeviceEncryption:
            return try await manager.deviceKeys().encryption
        case .userSecureEnclaveKey: return try await manager.userKey()
        case .userSmartCard: return nil
        }
    }

    private func present(_ reference: ExtensionKeyReference) async throws -> AgentKey {
        guard let key = try await key(reference) else {
            throw ExtensionCallRefusal(.keyUnavailable, "there is no such key")
        }
        return key
    }

    // MARK: People

    private func ask(_ question: ExtensionQuestion) async throws -> ExtensionCallAnswer {
        switch question {
        // The agent shows no sentence that asks nothing.
        case .notice: return .done
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
            let address = code.map { "\(url) (code \($0))" } ?? url
            _ = try await manager.present(.page(address))
            return .done
        }
    }

    private static let notOffered = ExtensionCallRefusal(.failed, "this agent does not offer that")
}
