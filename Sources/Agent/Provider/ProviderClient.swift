// SPDX-License-Identifier: Apache-2.0
package import JOSE
import PKCS11
package import PlatformSSO
package import Primitives
import UserClient

/// The device's side of Platform SSO: asks for a nonce, signs, sends, opens and verifies.
package struct ProviderClient: Sendable {
    package let exchange: ProviderExchange
    package let configuration: LoginConfiguration
    package let keys: any KeySource
    package let signing: AgentKey
    package let encryption: AgentKey
    /// Of the signing key, when the extension saved one.
    private let certificates: [[UInt8]]
    /// Of the login before, which a configuration may want to see in the next.
    private let previousToken: Secret?
    /// The identity that every response must have; `nil` before the first sign-in.
    private let known: LoginIdentity?

    package init(
        exchange: ProviderExchange, configuration: LoginConfiguration, keys: any KeySource,
        signing: AgentKey, encryption: AgentKey, certificates: [[UInt8]] = [],
        previousToken: Secret? = nil, known: LoginIdentity? = nil
    ) {
        self.exchange = exchange
        self.configuration = configuration
        self.keys = keys
        self.signing = signing
        self.encryption = encryption
        self.certificates = certificates
        self.previousToken = previousToken
        self.known = known
    }

    var identity: DeviceIdentity {
        DeviceIdentity(
            signing: signing.publicKey, encryption: encryption.publicKey,
            certificates: certificates)
    }

    // MARK: Sign-in

    /// With a password: at the provider, encrypted when it has a key for that; or at the federation's
    /// service, where the configuration says so, and then nowhere else.
    package func signIn(
        _ user: UserLoginConfiguration, password: Secret, groups: [String] = []
    ) async throws(ProviderError) -> VerifiedLogin {
        let credential = try await credential(for: user, password: password)
        return try await login(user, groups) { _ throws(ProviderError) in credential }
    }

    /// Signs in with the person's key, without the person.
    package func signIn(
        _ user: UserLoginConfiguration, key: AgentKey, groups: [String] = []
    ) async throws(ProviderError) -> VerifiedLogin {
        try await login(user, groups) { context throws(ProviderError) in
            let draft = try Self.written { () throws(JOSEError) in
                try context.assertion(key: key.publicKey)
            }
            return .signedAssertion(try await sign(draft, with: key))
        }
    }

    /// With the person's key, which signs behind its PIN.
    func signIn(
        _ user: UserLoginConfiguration, key: AgentKey, groups: [String],
        sign: ([UInt8]) async throws -> [UInt8]
    ) async throws(ProviderError) -> VerifiedLogin {
        try await login(user, groups) { context throws(ProviderError) in
            let draft = try Self.written { () throws(JOSEError) in
                try context.assertion(key: key.publicKey)
            }
            do {
                return .signedAssertion(
                    draft.compact(signature: try await sign(draft.signingInput)))
            } catch let error as KeyPINError { throw .pin(error) } catch { throw .keys("\(error)") }
        }
    }

    /// With a smart card, which signs behind its PIN.
    func signIn(
        _ user: UserLoginConfiguration, card: PersonCard, groups: [String] = [],
        sign: ([UInt8]) async throws(PKCS11Error) -> [UInt8]
    ) async throws(ProviderError) -> VerifiedLogin {
        try await login(user, groups) { context throws(ProviderError) in
            let draft = try Self.written { () throws(JOSEError) in
                try context.assertion(
                    key: card.publicKey, certificates: [card.card.certificate])
            }
            do throws(PKCS11Error) {
                return .signedAssertion(
                    draft.compact(signature: try await sign(draft.signingInput)))
            } catch { throw .card(error) }
        }
    }

    func login(
        _ user: UserLoginConfiguration, _ groups: [String],
        _ credential: (LoginRequestContext) async throws(ProviderError) -> LoginCredential
    ) async throws(ProviderError) -> VerifiedLogin {
        let context = try await context(user)
        let proof = try await credential(context)
        let draft = try Self.written { () throws(JOSEError) in
            try context.login(
                proof, groups: groups, previousRefreshToken: previousToken,
                random: AnyRandomSource(exchange.random))
        }
        let form = configuration.loginForm(try await sign(draft, with: signing))
        let content = try await send(
            form, to: configuration.tokenEndpointURL, type: .loginResponse, context)
        return try await verified(content, context, groups, known.map { KnownLogin($0) })
    }

    /// - Parameter authenticatedAt: `auth_time` of the login that it goes on from.
    package func refresh(
        _ user: UserLoginConfiguration, token: Secret, groups: [String] = [],
        authenticatedAt: Timestamp? = nil
    ) async throws(ProviderError) -> VerifiedLogin {
        let context = try await context(user)
        let draft = try Self.written { () throws(JOSEError) in try context.refresh(token) }
        let form = configuration.refreshForm(try await sign(draft, with: signing))
        let content = try await send(
            form, to: configuration.refreshEndpointURL ?? configuration.tokenEndpointURL,
            type: .loginResponse, context)
        return try await verified(
            content, context, groups,
            known.map { KnownLogin($0, authenticatedAt: authenticatedAt) })
    }

    /// Verifies a response. A response without an identity is refused: later responses could not be
    /// compared with it.
    private func verified(
        _ content: JSONObject, _ context: LoginRequestContext, _ groups: [String],
        _ known: KnownLogin?
    ) async throws(ProviderError) -> VerifiedLogin {
        let keys = try await exchange.keys(configuration)
        do throws(PlatformSSORefusal) {
            let login = try LoginResponseVerifier(
                configuration: configuration, keys: keys
            ).verify(
                LoginResponse(content), nonce: context.nonce, groups: groups, known: known,
                now: exchange.clock.now
            ).get()
            guard login.identity != nil else {
                throw PlatformSSORefusal(.claimMissing, "the ID token does not identify a person")
            }
            return login
        } catch {
            throw error.code == .userMismatch ? .anotherPerson : .notTrusted("\(error)")
        }
    }

    // MARK: Key service

    /// The certificate of the person's unlock key.
    package func provision(
        _ user: UserLoginConfiguration, token: Secret
    ) async throws(ProviderError) -> UnlockRecord {
        let answer = try await key(.provision, user, token)
        guard case .certificate(let certificate) = answer.content else {
            throw .notTrusted("there is no certificate in it")
        }
        return UnlockRecord(certificate: certificate, context: answer.keyContext)
    }

    /// What the unlock key agrees on with another key.
    package func agree(
        _ user: UserLoginConfiguration, token: Secret, with other: PublicJWK, context: String?
    ) async throws(ProviderError) -> Secret {
        let answer = try await key(.exchange(otherPublicKey: other, context: context), user, token)
        guard case .key(let secret) = answer.content else {
            throw .notTrusted("there is no key in it")
        }
        return secret
    }

    private func key(
        _ operation: VerifiedKeyRequest.Operation, _ user: UserLoginConfiguration, _ token: Secret
    ) async throws(ProviderError) -> KeyResponse {
        let context = try await context(user)
        let draft = try Self.written { () throws(JOSEError) in
            try context.key(operation, refreshToken: token)
        }
        let message = try await sign(draft, with: signing)
        let form =
            if case .provision = operation {
                configuration.keyRequestForm(message)
            } else {
                configuration.keyExchangeForm(message)
            }
        let content = try await send(form, to: configuration.keyURL, type: .keyResponse, context)
        do throws(PlatformSSORefusal) {
            return try KeyResponse(content, now: exchange.clock.now)
        } catch { throw .notTrusted("\(error)") }
    }

    // MARK: Parts

    private func context(
        _ user: UserLoginConfiguration
    ) async throws(ProviderError) -> LoginRequestContext {
        LoginRequestContext(
            configuration: configuration, user: user, device: identity,
            serverNonce: try await exchange.nonce(configuration), now: exchange.clock.now,
            random: AnyRandomSource(exchange.random))
    }

    func sign(
        _ draft: RequestDraft, with key: AgentKey
    ) async throws(ProviderError) -> [UInt8] {
        do {
            return draft.compact(signature: try await keys.sign(draft.signingInput, with: key))
        } catch { throw .keys("\(error)") }
    }

    private func send(
        _ form: [FormField], to url: String, type: MessageType, _ context: LoginRequestContext
    ) async throws(ProviderError) -> JSONObject {
        let reply = try await exchange.post(url, form: form, accept: type.mediaType)
        guard reply.status == 200 else {
            let failure = LoginError(
                status: reply.status, body: reply.body,
                predicate: configuration.invalidCredentialPredicate)
            let reason = ProviderExchange.reason(reply)
            switch ProviderExchange.code(reply) {
            case "device_unknown": throw .deviceUnknown(reason)
            case "key_context_refused": throw .contextRefused
            default: throw failure == .wrongCredential ? .wrongCredential(reason) : .later(reason)
            }
        }
        let sealed: SealedResponse
        do throws(PlatformSSORefusal) { sealed = try SealedResponse(compact: reply.body) } catch {
            throw .notTrusted("\(error)")
        }
        let secret: Secret
        do { secret = try await keys.agree(encryption, with: sealed.ephemeralKey) } catch {
            throw .keys("\(error)")
        }
        do throws(PlatformSSORefusal) {
            return try sealed.open(sharedSecret: secret.reveal(), apv: context.apv)
        } catch { throw .notTrusted("\(error)") }
    }

    static func written<Value>(
        _ write: () throws(JOSEError) -> Value
    ) throws(ProviderError) -> Value {
        do throws(JOSEError) { return try write() } catch { throw .keys("\(error)") }
    }
}

/// A source of any kind where one of a certain kind is asked for.
struct AnyRandomSource: RandomSource {
    private let source: any RandomSource
    init(_ source: any RandomSource) { self.source = source }
    func bytes(_ count: Int) -> [UInt8] { source.bytes(count) }
}
