// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import JOSE
import PlatformSSO
import Primitives
import SSOExtensions
import SingleSignOn
import Support
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `Examples/SSOExtension`, unchanged: signed, installed, started by the host, and registered with a
/// second, small provider.
@Suite struct ExampleExtensionTests {
    /// Keys in memory, and what was saved.
    private final class Desk: ExtensionCallHandler {
        let signing = P256.Signing.PrivateKey()
        let person = P256.Signing.PrivateKey()
        let saved = Mutex<[ExtensionCall]>([])

        func answer(
            _ call: ExtensionCall
        ) async throws(ExtensionCallRefusal) -> ExtensionCallResponse {
            let key = call.keyType == .userSecureEnclaveKey ? person : signing
            switch call {
            case .key:
                return .key(try? PublicJWK(x963: Array(key.publicKey.x963Representation)))
            case .sign(_, _, let message):
                guard let signature = try? key.signature(for: message) else {
                    throw ExtensionCallRefusal(.failed, "no signature")
                }
                return .data(Array(signature.rawRepresentation))
            default:
                saved.withLock { $0.append(call) }
                return .done
            }
        }
    }

    private struct Setting {
        let files = TestFolder()
        let provider: ChildProcess
        let address: String
        let host: ExtensionHost

        init() async throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Examples/SSOExtension")
            let log = URL(filePath: files.path("provider.log"))
            provider = try ChildProcess(
                URL(filePath: "/usr/bin/env"),
                ["python3", folder.appending(path: "provider.py").path(), "token"], log: log)
            address = try await eventually("the provider says where it is") {
                let text = try String(contentsOf: log, encoding: .utf8)
                return text.hasSuffix("\n") ? text.trimmingCharacters(in: .newlines) : nil
            }
            // However slow the machine is.
            var limits = ExtensionLimits()
            limits.start = .seconds(600)
            limits.silent = .seconds(600)
            host = ExtensionHost(
                InstalledProgram("com.example.small-sso", team: nil, in: try Self.install(files)),
                limits: limits)
        }

        /// As `gatehouse extension sign` and `install` do.
        private static func install(_ files: TestFolder) throws -> ExtensionFolder {
            let path =
                Bundle.main.executableURL?.deletingLastPathComponent()
                .appending(path: "SSOExtension").resolvingSymlinksInPath().path() ?? ""
            let executable = try ExtensionFile(path, owner: nil)
            let (digest, length) = try executable.digest()
            let key = try PrivateJWK.generate(for: .edDSA)
            let manifest = ExtensionManifest(
                identifier: "com.example.small-sso", displayName: "Small SSO",
                extensionVersion: "1.0", capabilities: [.platformSSO], digest: digest,
                length: length, key: key.publicKey)
            let folder = ExtensionFolder(path: files.path("extensions"), owner: getuid())
            _ = try folder.install(
                manifest: SignedManifest.sign(manifest, with: JOSESigner(key)),
                executable: executable, replaces: false, random: SystemRandomSource())
            return folder
        }

        func state(token: String?) -> ExtensionLoginState {
            var state = ExtensionLoginState()
            state.registrationToken = token.map { Secret($0) }
            state.extensionData = [.init("provider", .string(address))]
            return state
        }

        func registered() async throws -> [String: Any] {
            let url = try #require(URL(string: address + "/registered"))
            let (data, _) = try await URLSession.shared.data(from: url)
            return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        }
    }

    @Test("The example registers a device and a person, and both are known to its provider")
    func registers() async throws {
        let setting = try await Setting()
        let desk = Desk()
        let description = try await setting.host.describe().get()
        #expect(description.protocolVersion == .version2)
        let device = await setting.host.perform(
            .registerDevice(setting.state(token: "token"), []), calls: desk)
        #expect(device == .success(.registration(.success)))
        guard case .saveLoginConfiguration(let json)? = desk.saved.withLock({ $0.first }) else {
            Issue.record("no configuration was saved")
            return
        }
        let configuration = try LoginConfiguration(json: json)
        #expect(configuration.issuer == setting.address)
        #expect(configuration.nonceResponseKeypath == "nonce")
        #expect(configuration.customLoginRequestClaims.body["via"] == "example")
        let person = await setting.host.perform(
            .registerUser(
                setting.state(token: nil), userName: "anna", .userSecureEnclaveKey, []),
            calls: desk)
        #expect(person == .success(.registration(.success)))
        let registered = try await setting.registered()
        #expect((registered["devices"] as? [String])?.count == 1)
        #expect((registered["people"] as? [String: String])?.keys.first == "anna@small.example")
        await setting.host.unload()
        try await setting.provider.stop()
    }

    @Test("A token that the provider refuses is the last word; without one a person is needed")
    func refused() async throws {
        let setting = try await Setting()
        let desk = Desk()
        for (token, options, expected) in [
            ("wrong", [], .failedNoRetry), (nil, [], .userInterfaceRequired),
            (nil, .userInteractionEnabled, .failedNoRetry),
        ] as [(String?, ExtensionRequestOptions, ExtensionRegistrationResult)] {
            let answer = await setting.host.perform(
                .registerDevice(setting.state(token: token), options), calls: desk)
            #expect(answer == .success(.registration(expected)))
        }
        #expect(desk.saved.withLock { $0.isEmpty })
        await setting.host.unload()
        try await setting.provider.stop()
    }

    @Test("When the provider is away the registration fails for now")
    func away() async throws {
        let setting = try await Setting()
        try await setting.provider.stop()
        let answer = await setting.host.perform(
            .registerDevice(setting.state(token: "token"), []), calls: Desk())
        #expect(answer == .success(.registration(.failed)))
        await setting.host.unload()
    }
}
