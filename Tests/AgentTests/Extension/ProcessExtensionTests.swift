// SPDX-License-Identifier: Apache-2.0
import AgentClient
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

@testable import Agent

/// Extensions in processes of their own, as the agent has them.
@Suite struct ProcessExtensionTests {
    /// A login manager with keys in memory, which remembers what was saved.
    private final class Desk: ExtensionLoginManager {
        let extensionData: [PropertyList.Entry] = [.init("a", "b")]
        let registrationToken: Secret? = Secret("token")
        let account: String? = nil
        let loginConfiguration: LoginConfiguration? = nil
        let facts = LocalDeviceAttributes()
        let hasBrowser = true
        let authenticationMethod: PlatformSSOAuthenticationMethod
        let person: ExtensionPerson?
        let store = AgentKeyStore(.file, tpm: "", random: SystemRandomSource())
        let pairs: DeviceKeyPairs
        let personKey: AgentKey
        let saved = Mutex<[String]>([])

        init(
            _ method: PlatformSSOAuthenticationMethod = .password, person: ExtensionPerson? = nil
        ) async throws {
            authenticationMethod = method
            self.person = person
            pairs = DeviceKeyPairs(
                signing: try await store.makeSigningKey(),
                encryption: try await store.makeAgreementKey())
            personKey = try await store.makeSigningKey()
            formerKeys = DeviceKeyPairs(
                signing: try await store.makeSigningKey(),
                encryption: try await store.makeAgreementKey())
        }

        let owner = DeviceOwner.everyone
        let formerKeys: DeviceKeyPairs?
        func deviceKeys() async throws -> DeviceKeyPairs { pairs }
        let resets = Mutex<[String]>([])
        func resetDeviceKeys() async throws -> DeviceKeyPairs {
            resets.withLock { $0.append("device") }
            return pairs
        }
        func userKey() async throws -> AgentKey { personKey }
        func resetUserKey() async throws -> AgentKey {
            resets.withLock { $0.append("person") }
            return personKey
        }
        func sign(_ message: [UInt8], with key: AgentKey) async throws -> [UInt8] {
            try await store.sign(message, with: key)
        }
        func attest(_ key: AgentKey, challenge: [UInt8]) async throws -> KeyAttestation? { nil }
        func agree(_ key: AgentKey, with other: PublicJWK) async throws -> Secret {
            try await store.agree(key, with: other)
        }
        func saveLoginConfiguration(_ configuration: LoginConfiguration) async throws {
            saved.withLock { $0.append(configuration.clientID) }
        }
        func saveUserLoginConfiguration(_ configuration: UserLoginConfiguration) async throws {
            saved.withLock { $0.append(configuration.loginUserName) }
        }
        let managed = Mutex(ManagedKeys())
        let needs = Mutex<[ExtensionRepairReason]>([])

        func beginRotation(of role: AgentKeyRole) async throws -> AgentKey {
            let key = try await store.makeSigningKey()
            managed.withLock { $0.pending[role] = key }
            return key
        }
        func pendingKey(_ role: AgentKeyRole) async -> AgentKey? {
            managed.withLock { $0.pending[role] }
        }
        func completeRotation(of role: AgentKeyRole) async throws {
            guard managed.withLock({ $0.pending.removeValue(forKey: role) }) != nil else {
                throw KeyStoreError.unusable("no rotation")
            }
        }
        func certificates(of role: AgentKeyRole) async -> [[UInt8]] {
            managed.withLock { $0.certificates[role].map { [$0] } ?? [] }
        }
        func saveCertificate(_ certificate: [UInt8], of role: AgentKeyRole) async throws {
            managed.withLock { $0.certificates[role] = certificate }
        }
        func saveLoginUserName(_ name: String?) async throws {
            saved.withLock { $0.append("name: \(name ?? "nobody")") }
        }
        func saveTokens(_ tokens: JSONObject?) async throws {
            saved.withLock { $0.append("tokens: \(tokens?.members.count ?? 0)") }
        }
        func request(_ need: ExtensionRepairReason) async throws {
            needs.withLock { $0.append(need) }
        }
        func explain(_ reason: String) async {}
        let shown = Mutex<[AgentPrompt]>([])
        func present(_ question: AgentPrompt) async throws -> String {
            shown.withLock { $0.append(question) }
            return try answer(to: question)
        }
        private func answer(to question: AgentPrompt) throws -> String {
            switch question {
            case .choice(_, let choices): choices.last ?? ""
            case .line: "anna"
            case .secret: throw PresentationError.cancelled
            case .notice, .page, .code: ""
            }
        }
    }

    /// Serves no profile.
    private struct Nobody: ExtensionSource {
        func find(_ configuration: SSOConfiguration) -> InstalledExtension? { nil }
    }

    private static let executable =
        Bundle.main.executableURL?.deletingLastPathComponent()
        .appending(path: "faulty-extension").resolvingSymlinksInPath().path() ?? ""

    private func code(
        _ calls: LoginManagerProxy, _ call: ExtensionCall
    ) async -> ExtensionCallRefusal.Code? {
        do throws(ExtensionCallRefusal) {
            _ = try await calls.answer(call)
            return nil
        } catch { return error.code }
    }

    // MARK: What it is told

    @Test("The process is told the profile's method, and what it saved of the person, with claims")
    func state() async throws {
        var saved = UserLoginConfiguration(loginUserName: "anna@example.com")
        saved.customLoginRequestClaims.body["tenant"] = "t1"
        let person = ExtensionPerson(
            isRegistered: true, loginUserName: "anna@example.com", configuration: saved,
            tokens: nil)
        let desk = try await Desk(.smartCard, person: person)
        let state = await ExtensionLoginState(of: desk, isDeviceRegistered: true)
        #expect(state.authenticationMethod == .smartCard)
        #expect(state.isUserRegistered && state.loginUserName == "anna@example.com")
        let json = try #require(state.userLoginConfiguration)
        #expect(try UserLoginConfiguration(json: json) == saved)
        // A device registration has no person, but it has the method.
        #expect(state.ofTheDevice.authenticationMethod == .smartCard)
        #expect(state.ofTheDevice.userLoginConfiguration == nil)
    }

    // MARK: Calls

    @Test(
        "resetKeys replaces all existing keys, including the key of a person who signs in with one",
        arguments: [
            (PlatformSSOAuthenticationMethod.userSecureEnclaveKey, true, ["device", "person"]),
            (.userSecureEnclaveKey, false, ["device"]), (.password, true, ["device"]),
        ])
    func reset(
        method: PlatformSSOAuthenticationMethod, isOfPerson: Bool, expected: [String]
    ) async throws {
        let anna = ExtensionPerson(isRegistered: true, loginUserName: "anna", tokens: nil)
        let desk = try await Desk(method, person: isOfPerson ? anna : nil)
        let calls = LoginManagerProxy(desk)
        #expect(try await calls.answer(.resetKeys) == .done)
        #expect(desk.resets.withLock { $0 } == expected)
        #expect(try await calls.answer(.resetDeviceKeys) == .done)
        #expect(desk.resets.withLock { $0 } == expected + ["device"])
        #expect(try await calls.answer(.resetUserSecureEnclaveKey) == .done)
        #expect(desk.resets.withLock { $0 }.last == "person")
    }

    @Test("Keys are the agent's: each type its own, and they sign and agree")
    func keys() async throws {
        let desk = try await Desk()
        let calls = LoginManagerProxy(desk)
        let signing = ExtensionKeyReference(.currentDeviceSigning)
        let encryption = ExtensionKeyReference(.sharedDeviceEncryption)
        #expect(try await calls.answer(.key(signing)) == .key(desk.pairs.signing.publicKey))
        #expect(try await calls.answer(.key(encryption)) == .key(desk.pairs.encryption.publicKey))
        #expect(
            try await calls.answer(.key(.init(.userSecureEnclaveKey)))
                == .key(desk.personKey.publicKey))
        #expect(try await calls.answer(.key(.init(.userSmartCard))) == .key(nil))
        let answer = try await calls.answer(.sign(signing, .es256, message: [1, 2, 3]))
        guard case .data(let raw) = answer else {
            Issue.record("no signature")
            return
        }
        let point = try #require(desk.pairs.signing.publicKey.x963)
        let key = try P256.Signing.PublicKey(x963Representation: point)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
        #expect(key.isValidSignature(signature, for: Data([1, 2, 3])))
        let other = P256.KeyAgreement.PrivateKey()
        let agreed = try await calls.answer(
            .agree(
                encryption,
                with: PublicJWK(x963: Array(other.publicKey.x963Representation))))
        guard case .data(let secret) = agreed else {
            Issue.record("no secret")
            return
        }
        #expect(secret.count == 32)
    }

    @Test("In a migration the keys of before are there under their own names")
    func migration() async throws {
        let desk = try await Desk()
        let calls = LoginManagerProxy(desk)
        let former = try #require(desk.formerKeys)
        let (old, new) = (
            ExtensionKeyReference(.userDeviceSigning), ExtensionKeyReference(.sharedDeviceSigning)
        )
        #expect(try await calls.answer(.key(old)) == .key(former.signing.publicKey))
        #expect(try await calls.answer(.key(new)) == .key(desk.pairs.signing.publicKey))
        #expect(
            try await calls.answer(.key(.init(.userDeviceEncryption)))
                == .key(former.encryption.publicKey))
    }

    @Test("Configurations are read before they are saved")
    func configurations() async throws {
        let desk = try await Desk()
        let calls = LoginManagerProxy(desk)
        let configuration = LoginConfiguration(
            clientID: "client", issuer: "i", tokenEndpointURL: "t", jwksEndpointURL: "k")
        _ = try await calls.answer(.saveLoginConfiguration(configuration.json))
        let user = UserLoginConfiguration(loginUserName: "anna")
        _ = try await calls.answer(.saveUserLoginConfiguration(user.json))
        #expect(await code(calls, .saveLoginConfiguration(JSONObject())) == .malformed)
        #expect(await code(calls, .saveUserLoginConfiguration(JSONObject())) == .malformed)
        #expect(desk.saved.withLock { $0 } == ["client", "anna"])
    }

    @Test("People are asked by the agent; who gives up has given up")
    func people() async throws {
        let desk = try await Desk()
        let calls = LoginManagerProxy(desk)
        #expect(try await calls.answer(.ask(.choice("?", ["a", "b"]))) == .choice(1))
        #expect(try await calls.answer(.ask(.line("?"))) == .text(Secret("anna")))
        #expect(await code(calls, .ask(.secret("?"))) == .canceled)
        let count = desk.shown.withLock { $0.count }
        #expect(try await calls.answer(.ask(.notice("Look at your phone."))) == .done)
        let page = "https://idp.example.com/device"
        #expect(try await calls.answer(.ask(.page(url: page, code: nil))) == .done)
        #expect(try await calls.answer(.ask(.page(url: page, code: "WDJB"))) == .done)
        #expect(
            desk.shown.withLock { Array($0.dropFirst(count)) } == [
                .notice("Look at your phone."), .page(page),
                .code(DeviceCodeInstructions(url: page, code: "WDJB", completeURL: page)),
            ])
        for address in ["file:///etc/passwd", "javascript:alert(1)", ""] {
            #expect(await code(calls, .ask(.page(url: address, code: nil))) == .malformed)
        }
    }

    @Test("A page without TLS is not opened, unless it is on this device")
    func unprotectedPages() async throws {
        let desk = try await Desk()
        let calls = LoginManagerProxy(desk)
        for address in ["http://idp.example.com/device", "http://localhost@idp.example.com/"] {
            for word in [nil, "WDJB"] {
                #expect(await code(calls, .ask(.page(url: address, code: word))) == .malformed)
            }
        }
        #expect(desk.shown.withLock { $0.isEmpty })
        let own = "http://127.0.0.1:8080/device"
        #expect(try await calls.answer(.ask(.page(url: own, code: nil))) == .done)
        #expect(desk.shown.withLock { $0 } == [.page(own)])
    }

    @Test("A rotation creates a second key, which replaces the active one on completion")
    func rotation() async throws {
        let desk = try await Desk()
        let calls = LoginManagerProxy(desk)
        let pending = ExtensionKeyReference(.currentDeviceSigning, isPending: true)
        #expect(try await calls.answer(.key(pending)) == .key(nil))
        #expect(await code(calls, .completeKeyRotation(.currentDeviceSigning)) == .keyUnavailable)
        let begun = try await calls.answer(.beginKeyRotation(.currentDeviceSigning))
        #expect(try await calls.answer(.key(pending)) == begun)
        #expect(begun != .key(desk.pairs.signing.publicKey))
        #expect(
            try await calls.answer(.sign(pending, .es256, message: [1]))
                != calls.answer(.sign(.init(.currentDeviceSigning), .es256, message: [1])))
        #expect(try await calls.answer(.completeKeyRotation(.currentDeviceSigning)) == .done)
        #expect(await code(calls, .beginKeyRotation(.userSmartCard)) == .keyUnavailable)
    }

    @Test("Certificates, names, tokens and needs go to the agent")
    func kept() async throws {
        let desk = try await Desk()
        let calls = LoginManagerProxy(desk)
        #expect(try await calls.answer(.certificates(.currentDeviceSigning)) == .certificates([]))
        _ = try await calls.answer(.saveCertificate([0x30, 0], .currentDeviceSigning))
        #expect(
            try await calls.answer(.certificates(.sharedDeviceSigning))
                == .certificates([[0x30, 0]]))
        #expect(await code(calls, .saveCertificate([0x30, 0], .userSmartCard)) == .keyUnavailable)
        _ = try await calls.answer(.saveLoginUserName("anna"))
        _ = try await calls.answer(.saveTokens(nil))
        #expect(desk.saved.withLock { $0 } == ["name: anna", "tokens: 0"])
        for call in [
            .userNeedsReauthentication, .deviceRegistrationNeedsRepair,
            .userRegistrationNeedsRepair, .decryptionKeysNeedRepair,
        ] as [ExtensionCall] {
            #expect(try await calls.answer(call) == .done)
        }
        #expect(
            desk.needs.withLock { $0 } == [
                .reauthentication, .deviceRepair, .personRepair, .decryptionKeys,
            ])
    }

    @Test("What the agent does not offer is refused, not promised")
    func notOffered() async throws {
        let calls = LoginManagerProxy(try await Desk())
        let signing = ExtensionKeyReference(.currentDeviceSigning)
        #expect(await code(calls, .sign(signing, .rs256, message: [])) == .failed)
        #expect(await code(calls, .attest(signing, clientDataHash: [1])) == .notInHardware)
        #expect(
            await code(calls, .attestationStatement(signing, clientDataHash: [1]))
                == .notInHardware)
        // The card is none of the machine's keys.
        let card = ExtensionKeyReference(.userSmartCard)
        #expect(await code(calls, .attest(card, clientDataHash: [1])) == .keyUnavailable)
    }

    // MARK: Processes

    @Test("An installed extension serves the profile that names it and its team, and no other")
    func find() async throws {
        let files = TestFolder()
        let key = try PrivateJWK.generate(for: .edDSA)
        let executable = try ExtensionFile(Self.executable, owner: nil)
        let (digest, length) = try executable.digest()
        let manifest = ExtensionManifest(
            identifier: "com.example.faulty", displayName: "Faulty", extensionVersion: "1",
            capabilities: [.platformSSO, .keyService], digest: digest, length: length,
            key: key.publicKey)
        let folder = ExtensionFolder(path: files.path("extensions"), owner: getuid())
        _ = try folder.install(
            manifest: SignedManifest.sign(manifest, with: JOSESigner(key)), executable: executable,
            replaces: false, random: SystemRandomSource())
        let source = InstalledExtensions(folder: folder, otherwise: Nobody())
        var profile = SSOConfiguration()
        profile.extensionIdentifier = "com.example.faulty"
        #expect(source.find(profile)?.revision == nil, "no team")
        profile.teamIdentifier = "ABCDE12345"
        #expect(source.find(profile)?.revision == nil, "another team")
        profile.teamIdentifier = manifest.team
        let found = try #require(source.find(profile))
        #expect(found.hasKeyService)
        #expect(found.revision == Base64URL.encode(digest))
        let desk = try await Desk()
        for (name, expected) in [("anna", .success), ("wrong", .failed)]
            as [(String, ExtensionRegistrationResult)]
        {
            let result = await found.registration.beginUserRegistration(
                desk, userName: name, method: .password, options: [])
            #expect(result == expected)
        }
        await found.registration.configurationRemoved()
        profile.extensionIdentifier = "com.example.missing"
        #expect(source.find(profile)?.revision == nil)
    }
}
