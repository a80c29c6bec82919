// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
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

    extension EndToEndAgent {
        /// `Examples/SSOExtension`, whose sources are those of a Mac's extension, and the provider as a
        /// process.
        @Suite("The example extension, at Gatehouse") struct ExampleExtensionStory {
            @Test("it registers a machine by its token, and a person who has a password")
            func registers() async throws {
                let (server, token) = try await ServerProcess.withMachines("example-extension")
                let place = try Place(server.issuer)
                let desk = Desk()
                let device = await place.host.perform(
                    .registerDevice(place.state(token), .registrationSharedDeviceKeys),
                    calls: desk)
                #expect(device == .success(.registration(.success)))
                #expect(try await server.livingMachines() == 1)
                guard case .saveLoginConfiguration(let json)? = desk.saved.withLock({ $0.first })
                else {
                    Issue.record("no configuration was saved")
                    return
                }
                let configuration = try LoginConfiguration(json: json)
                #expect(configuration.issuer == server.issuer)
                #expect(configuration.clientID == "platform-sso")
                #expect(configuration.refreshEndpointURL?.hasPrefix(server.issuer) == true)
                let person = await place.host.perform(
                    .registerUser(place.state(nil), userName: "anna", .password, []), calls: desk)
                #expect(person == .success(.registration(.success)))
                #expect(desk.saved.withLock { $0.count } == 2)
                // A key requires a recent sign-in.
                let key = await place.host.perform(
                    .registerUser(
                        place.state(nil), userName: "anna", .userSecureEnclaveKey, []),
                    calls: desk)
                #expect(key == .success(.registration(.failedNoRetry)))
                await place.host.unload()
                try await server.stop()
            }

            @Test("a token that Gatehouse does not know registers nothing")
            func refused() async throws {
                let (server, _) = try await ServerProcess.withMachines("example-refused")
                let place = try Place(server.issuer)
                let desk = Desk()
                let device = await place.host.perform(
                    .registerDevice(place.state("wrong"), []), calls: desk)
                #expect(device == .success(.registration(.failed)))
                #expect(desk.saved.withLock { $0.isEmpty })
                #expect(try await server.livingMachines() == 0)
                await place.host.unload()
                try await server.stop()
            }
        }
    }

    /// Where the example is installed, as `gatehouse extension sign` and `install` do it.
    private struct Place {
        private let files = TestFolder()
        private let issuer: String
        let host: ExtensionHost

        init(_ issuer: String) throws {
            self.issuer = issuer
            let path = Repository.gatehouse.deletingLastPathComponent()
                .appending(path: "SSOExtension").resolvingSymlinksInPath().path()
            let executable = try ExtensionFile(path, owner: nil)
            let (digest, length) = try executable.digest()
            let key = try PrivateJWK.generate(for: .edDSA)
            let manifest = ExtensionManifest(
                identifier: "com.example.sso", displayName: "Example", extensionVersion: "1.0",
                capabilities: [.platformSSO], digest: digest, length: length, key: key.publicKey)
            let folder = ExtensionFolder(path: files.path("extensions"), owner: getuid())
            _ = try folder.install(
                manifest: SignedManifest.sign(manifest, with: JOSESigner(key)),
                executable: executable, replaces: false, random: SystemRandomSource())
            // However slow the machine is.
            var limits = ExtensionLimits()
            limits.start = .seconds(600)
            limits.silent = .seconds(600)
            host = ExtensionHost(
                InstalledProgram("com.example.sso", team: nil, in: folder), limits: limits)
        }

        func state(_ token: String?) -> ExtensionLoginState {
            var state = ExtensionLoginState()
            state.registrationToken = token.map { Secret($0) }
            state.extensionData = [.init("issuer", .string(issuer))]
            return state
        }
    }

    /// The machine's keys, in memory, and what was saved.
    private final class Desk: ExtensionCallHandler {
        private let signing = P256.Signing.PrivateKey()
        private let encryption = P256.KeyAgreement.PrivateKey()
        private let person = P256.Signing.PrivateKey()
        let saved = Mutex<[ExtensionCall]>([])

        func answer(
            _ call: ExtensionCall
        ) async throws(ExtensionCallRefusal) -> ExtensionCallResponse {
            let key = call.keyType == .userSecureEnclaveKey ? person : signing
            switch call {
            case .key:
                let point =
                    call.keyType == .currentDeviceEncryption
                    ? encryption.publicKey.x963Representation : key.publicKey.x963Representation
                return .key(try? PublicJWK(x963: Array(point)))
            case .sign(_, _, let message):
                guard let signature = try? key.signature(for: message) else {
                    throw ExtensionCallRefusal(.failed, "no signature")
                }
                return .data(Array(signature.rawRepresentation))
            case .agree(_, let other):
                guard let point = other.x963,
                    let key = try? P256.KeyAgreement.PublicKey(x963Representation: point),
                    let secret = try? encryption.sharedSecretFromKeyAgreement(with: key)
                else { throw ExtensionCallRefusal(.failed, "no agreement") }
                return .data(secret.withUnsafeBytes { Array($0) })
            default:
                saved.withLock { $0.append(call) }
                return .done
            }
        }
    }
#endif
