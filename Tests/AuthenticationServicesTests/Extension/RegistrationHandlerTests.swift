// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Crypto
import Foundation
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Synchronization
import Testing

/// The rules of Apple's registration handler and login manager, from an extension's side.
@MainActor @Suite struct RegistrationHandlerTests {
    private let principal = PlayedExtension()

    private static func configuration() throws -> ASAuthorizationProviderExtensionLoginConfiguration
    {
        ASAuthorizationProviderExtensionLoginConfiguration(
            clientID: "platform-sso", issuer: "https://idp.example.com",
            tokenEndpointURL: try #require(URL(string: "https://idp.example.com/token")),
            jwksEndpointURL: try #require(URL(string: "https://idp.example.com/jwks")),
            audience: nil)
    }

    private func device(
        _ options: ExtensionRequestOptions = [],
        _ change: (inout ExtensionLoginState) -> Void = { _ in }
    ) -> ExtensionHostRequest {
        var state = ExtensionLoginState()
        change(&state)
        return .registerDevice(state, options)
    }

    private func user(_ options: ExtensionRequestOptions = []) -> ExtensionHostRequest {
        .registerUser(ExtensionLoginState(), userName: "anna", .userSecureEnclaveKey, options)
    }

    // MARK: Device registration

    @Test("An extension sees the token and the data of the profile, and saves a configuration")
    func registersDevice() async throws {
        let configuration = try Self.configuration()
        configuration.customLoginRequestValues = [URLQueryItem(name: "tenant", value: "a")]
        let seen = Mutex<[String]>([])
        principal.device = { manager, options, completion in
            seen.withLock {
                $0 = [
                    manager.registrationToken ?? "", manager.extensionData["host"] as? String ?? "",
                    "\(options.contains(.registrationSharedDeviceKeys))",
                ]
            }
            try? manager.saveLoginConfiguration(configuration)
            completion(manager.loginConfiguration?.clientID == "platform-sso" ? .success : .failed)
        }
        let agent = PlayedAgentEnd(principal)
        let answer = await agent.ask(
            device(.registrationSharedDeviceKeys) {
                $0.registrationToken = Secret("token")
                $0.extensionData = [.init("host", "idp.example.com")]
            })
        #expect(answer == .registration(.success))
        #expect(seen.withLock { $0 } == ["token", "idp.example.com", "true"])
        guard case .saveLoginConfiguration(let json)? = agent.calls.first else {
            Issue.record("nothing was saved")
            return
        }
        let saved = try LoginConfiguration(json: json)
        #expect(saved.customLoginRequestValues == [FormField("tenant", "a")])
        #expect(saved.audience == "https://idp.example.com/token")
        #expect(try await agent.stop().isEmpty)
    }

    @Test("During the registration of a device nothing of a person is known or can be set")
    func deviceIsNobodys() async throws {
        principal.device = { manager, _, completion in
            manager.loginUserName = "anna"
            manager.ssoTokens = ["refresh_token": "x"]
            let user = ASAuthorizationProviderExtensionUserLoginConfiguration(
                loginUserName: "anna")
            #expect(throws: ASAuthorizationError.self) {
                try manager.saveUserLoginConfiguration(user)
            }
            #expect(manager.loginUserName == nil)
            #expect(manager.ssoTokens == nil)
            #expect(manager.userLoginConfiguration == nil)
            #expect(manager.key(for: .userSecureEnclaveKey) == nil)
            manager.userRegistrationsNeedsRepair()
            manager.resetUserSecureEnclaveKey()
            completion(.success)
        }
        let agent = PlayedAgentEnd(principal)
        let request = device {
            $0.loginUserName = "berta"
            $0.isUserRegistered = true
            $0.tokens = JSONObject()
        }
        #expect(await agent.ask(request) == .registration(.success))
        #expect(agent.calls.isEmpty)
        _ = try await agent.stop()
    }

    @Test("The registration of a person saves what is theirs")
    func registersUser() async throws {
        principal.user = { manager, name, completion in
            let user = ASAuthorizationProviderExtensionUserLoginConfiguration(
                loginUserName: "\(name ?? "")@example.com")
            do {
                try user.setCustomLoginRequestBodyClaims(["site": 7, "beta": true])
                try manager.saveUserLoginConfiguration(user)
            } catch { Issue.record(error) }
            completion(.success)
        }
        let agent = PlayedAgentEnd(principal)
        #expect(await agent.ask(user()) == .registration(.success))
        guard case .saveUserLoginConfiguration(let json)? = agent.calls.first else {
            Issue.record("nothing was saved")
            return
        }
        let saved = try UserLoginConfiguration(json: json)
        #expect(saved.loginUserName == "anna@example.com")
        #expect(saved.customLoginRequestClaims.body["site"] == 7)
        #expect(saved.customLoginRequestClaims.body["beta"] == true)
        _ = try await agent.stop()
    }

    // MARK: Exactly one completion

    @Test("Of two completions the first counts, and the agent hears of no second")
    func completesTwice() async throws {
        principal.device = { _, _, completion in
            completion(.userInterfaceRequired)
            completion(.success)
        }
        let agent = PlayedAgentEnd(principal)
        #expect(await agent.ask(device()) == .registration(.userInterfaceRequired))
        #expect(try await agent.stop().isEmpty)
    }

    @Test("A completion that is lost is a failure, not a wait")
    func losesCompletion() async throws {
        principal.device = { _, _, _ in }
        principal.user = { _, _, _ in }
        let agent = PlayedAgentEnd(principal)
        #expect(await agent.ask(device()) == .registration(.failed))
        #expect(await agent.ask(user(), number: 2) == .registration(.failed))
        _ = try await agent.stop()
    }

    @Test("After the completion nothing can be saved, signed or shown")
    func afterwards() async throws {
        let kept = Mutex<ASAuthorizationProviderExtensionLoginManager?>(nil)
        principal.user = { manager, _, completion in
            kept.withLock { $0 = manager }
            completion(.success)
        }
        let agent = PlayedAgentEnd(principal)
        _ = await agent.ask(user(.userInteractionEnabled))
        let manager = try #require(kept.withLock { $0 })
        let configuration = try Self.configuration()
        #expect(throws: ASAuthorizationError.self) {
            try manager.saveLoginConfiguration(configuration)
        }
        #expect(manager.key(for: .currentDeviceSigning) == nil)
        let failure = await withCheckedContinuation { continuation in
            manager.presentRegistrationViewController { continuation.resume(returning: $0) }
        }
        #expect((failure as? ASAuthorizationError)?.code == .failed)
        #expect(agent.calls.isEmpty)
        _ = try await agent.stop()
    }

    // MARK: Presentation

    @Test("Nothing is shown unless the request allows it")
    func presentsSilently() async throws {
        principal.device = { manager, _, completion in
            manager.presentRegistrationViewController { error in
                let code = (error as? ASAuthorizationError)?.code
                completion(code == .notInteractive ? .userInterfaceRequired : .success)
            }
        }
        let agent = PlayedAgentEnd(principal)
        #expect(await agent.ask(device()) == .registration(.userInterfaceRequired))
        #expect(agent.calls.isEmpty)
        _ = try await agent.stop()
    }

    @Test("A person is asked once something is shown; before that nothing is asked")
    func asks() async throws {
        principal.user = { manager, _, completion in
            Task {
                let early = try? await manager.dialog.line("Too early?")
                manager.presentRegistrationViewController { error in
                    Task {
                        let password = try? await manager.dialog.secret("Password:")
                        let isRight = early == nil && error == nil && password == "secret"
                        completion(isRight ? .success : .failed)
                    }
                }
            }
        }
        let agent = PlayedAgentEnd(principal) { call in
            if case .ask(.secret) = call { return .success(.text(Secret("secret"))) }
            return .success(.done)
        }
        #expect(await agent.ask(user(.userInteractionEnabled)) == .registration(.success))
        #expect(agent.calls == [.present, .ask(.secret("Password:"))])
        _ = try await agent.stop()
    }

    @Test("A person who gives up is an error that says so")
    func givesUp() async throws {
        principal.user = { manager, _, completion in
            manager.presentRegistrationViewController { error in
                let code = (error as? ASAuthorizationError)?.code
                completion(code == .canceled ? .failedNoRetry : .success)
            }
        }
        let agent = PlayedAgentEnd(principal) { _ in .failure(.init(.canceled, "no")) }
        #expect(
            await agent.ask(user(.userInteractionEnabled)) == .registration(.failedNoRetry))
        _ = try await agent.stop()
    }

    // MARK: Keys

    @Test("Keys sign and agree in the agent's hands, in the forms of SecKey")
    func keys() async throws {
        let signing = P256.Signing.PrivateKey()
        let other = P256.KeyAgreement.PrivateKey()
        let point = Array(signing.publicKey.x963Representation)
        let jwk = try PublicJWK(x963: point)
        principal.device = { manager, _, completion in
            guard let key = manager.key(for: .currentDeviceSigning),
                let publicKey = SecKeyCopyPublicKey(key),
                let data = SecKeyCopyExternalRepresentation(publicKey, nil) as Data?
            else { return completion(.failedNoRetry) }
            #expect(Array(data) == point)
            let message = Data("message".utf8)
            var error: Unmanaged<CFError>?
            guard
                let signature = SecKeyCreateSignature(
                    key, .ecdsaSignatureMessageX962SHA256, message as CFData, &error) as Data?
            else { return completion(.failed) }
            #expect(signature.first == 0x30)
            #expect(
                SecKeyVerifySignature(
                    publicKey, .ecdsaSignatureMessageX962SHA256, message as CFData,
                    signature as CFData, nil))
            #expect(
                !SecKeyVerifySignature(
                    publicKey, .ecdsaSignatureMessageX962SHA256, Data("other".utf8) as CFData,
                    signature as CFData, nil))
            #expect(SecKeyCopyExternalRepresentation(key, &error) == nil)
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeyClass: kSecAttrKeyClassPublic,
            ]
            let peer = SecKeyCreateWithData(
                other.publicKey.x963Representation as CFData, attributes as CFDictionary, nil)
            let secret = peer.flatMap {
                SecKeyCopyKeyExchangeResult(
                    key, .ecdhKeyExchangeStandard, $0, [:] as CFDictionary, nil) as Data?
            }
            completion(secret == Data([1, 2, 3]) ? .success : .failed)
        }
        let agent = PlayedAgentEnd(principal) { call in
            switch call {
            case .key: return .success(.key(jwk))
            case .sign(_, .es256, let message):
                let signature = try? signing.signature(for: message).rawRepresentation
                return .success(.data(Array(signature ?? Data())))
            case .agree: return .success(.data([1, 2, 3]))
            default: return .failure(.init(.failed, "no"))
            }
        }
        #expect(await agent.ask(device()) == .registration(.success))
        _ = try await agent.stop()
    }

    @Test("Keys that all share and keys of one person are there together only in a migration")
    func migration() async throws {
        let jwk = try PublicJWK(x963: Array(P256.Signing.PrivateKey().publicKey.x963Representation))
        let found = Mutex<[Bool]>([])
        principal.device = { manager, _, completion in
            found.withLock {
                $0 = [.userDeviceSigning, .sharedDeviceSigning, .currentDeviceSigning].map {
                    manager.key(for: $0) != nil
                }
            }
            completion(.success)
        }
        let agent = PlayedAgentEnd(principal) { _ in .success(.key(jwk)) }
        let cases: [(ExtensionRequestOptions, [Bool])] = [
            ([], [true, false, true]),
            (.registrationSharedDeviceKeys, [false, true, true]),
            (
                [.registrationSharedDeviceKeys, .registrationDeviceKeyMigration],
                [true, true, true]
            ),
        ]
        for (number, (options, expected)) in cases.enumerated() {
            _ = await agent.ask(device(options), number: UInt64(number))
            #expect(found.withLock { $0 } == expected)
        }
        _ = try await agent.stop()
    }

    @Test("Identities, rotation and attestation are by type of key")
    func certificates() async throws {
        let jwk = try PublicJWK(x963: Array(P256.Signing.PrivateKey().publicKey.x963Representation))
        let der: [UInt8] = [0x30, 0x02, 0x05, 0x00]
        principal.device = { manager, _, completion in
            let identity = manager.identity(for: .currentDeviceSigning)
            let pending = manager.beginKeyRotation(.currentDeviceSigning)
            if let certificate = SecCertificateCreateWithData(nil, Data(der) as CFData) {
                manager.saveCertificate(certificate, keyType: .currentDeviceSigning)
            }
            #expect(SecCertificateCreateWithData(nil, Data([0x30, 0x03, 0x05, 0x00])) == nil)
            manager.completeKeyRotation(.currentDeviceSigning)
            Task {
                let hash = Data(repeating: 7, count: 32)
                let chain = try? await manager.attestKey(
                    ofType: .currentDeviceSigning, clientDataHash: hash)
                let none = try? await manager.attestPendingKey(
                    ofType: .currentDeviceEncryption, clientDataHash: hash)
                let isRight =
                    identity != nil && pending != nil && none == nil
                    && chain.map { $0.map { Array(SecCertificateCopyData($0)) } } == [der]
                completion(isRight ? .success : .failed)
            }
        }
        let agent = PlayedAgentEnd(principal) { call in
            switch call {
            case .key, .beginKeyRotation: .success(.key(jwk))
            case .certificates: .success(.certificates([der]))
            case .attest(let key, _): .success(.certificates(key.isPending ? [] : [der]))
            default: .success(.done)
            }
        }
        #expect(await agent.ask(device()) == .registration(.success))
        #expect(
            agent.calls.contains(.saveCertificate(der, .currentDeviceSigning))
                && agent.calls.contains(.completeKeyRotation(.currentDeviceSigning)))
        _ = try await agent.stop()
    }

    // MARK: The rest of the handler

    @Test("What an extension leaves out has defaults")
    func defaults() async throws {
        let agent = PlayedAgentEnd(principal)
        let description = try await agent.description
        #expect(description.protocolVersion == .version1)
        #expect(description.grantTypes == [.password, .jwtBearer])
        #expect(description.deviceEncryptionAlgorithms == ["ecdhe_A256GCM"])
        #expect(description.deviceSigningAlgorithms == ["es256"])
        #expect(await agent.ask(.registrationDidComplete) == .done)
        #expect(await agent.ask(.registrationDidCancel, number: 2) == .done)
        let state = ExtensionLoginState()
        let jwk = try PublicJWK(x963: Array(P256.Signing.PrivateKey().publicKey.x963Representation))
        let rotation = ExtensionHostRequest.keyWillRotate(state, .currentDeviceSigning, newKey: jwk)
        #expect(await agent.ask(rotation, number: 3) == .decision(false))
        #expect(await agent.ask(.displayNames(state, groups: ["a"]), number: 4) == .names([:]))
        #expect(await agent.ask(.profilePicture(state), number: 5) == .picture([]))
        _ = try await agent.stop()
    }

    @Test("An extension without a handler for something says so and answers nothing else")
    func withoutHandlers() async throws {
        let agent = PlayedAgentEnd(NSObject())
        let description = try await agent.description
        #expect(!description.handlesRegistration && !description.handlesAuthorization)
        #expect(await agent.ask(device()) == .registration(.failed))
        _ = try await agent.stop()
    }

    @Test("Reauthentication is arranged or refused, and the extension learns which")
    func reauthenticates() async throws {
        principal.user = { manager, _, completion in
            manager.userNeedsReauthentication { completion($0 == nil ? .success : .failed) }
        }
        let agent = PlayedAgentEnd(principal) { call in
            call == .userNeedsReauthentication ? .failure(.init(.failed, "no")) : .success(.done)
        }
        #expect(await agent.ask(user()) == .registration(.failed))
        _ = try await agent.stop()
    }

    @Test("Tokens are read and replaced; what JSON cannot say is not")
    func tokens() async throws {
        principal.user = { manager, _, completion in
            manager.ssoTokens = ["refresh_token": "r", "expires_in": 3600]
            manager.ssoTokens = ["clock": Date()]
            completion(manager.ssoTokens?["expires_in"] as? Int == 3600 ? .success : .failed)
        }
        let agent = PlayedAgentEnd(principal)
        #expect(await agent.ask(user()) == .registration(.success))
        #expect(agent.calls.count == 1)
        _ = try await agent.stop()
    }
}
