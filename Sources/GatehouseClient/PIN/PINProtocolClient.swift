// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import PIN

/// The device's side of version 2 of the PIN protocol for one profile (`docs/protocols/pin.md`).
///
/// Every state is stored before anything that depends on it is sent.
struct PINProtocolClient: Sendable {
    private let exchange: PINExchange
    private let record: PINStateRecord
    private let requests: PINRequestSigner
    private let sealer: PINSealer

    init(
        dependencies: ClientDependencies, profileID: Profile.ID, key: any StoredKey
    ) throws {
        record = PINStateRecord(
            store: dependencies.profiles.store, profileID: profileID,
            patience: dependencies.profiles.patience)
        let deviceKey = PINKey(key: key, publicKey: try key.publicKey.jwk())
        guard
            let requests = PINRequestSigner(
                issuer: dependencies.configuration.issuer, key: deviceKey)
        else { throw StoreError.damaged("the key cannot sign PIN requests") }
        self.requests = requests
        exchange = PINExchange(connection: dependencies.connection, binding: requests.binding)
        sealer = PINSealer(
            key: deviceKey, stretching: dependencies.stretching,
            version1: dependencies.earlierPINs?.stretching, random: dependencies.random)
    }

    // MARK: Registration

    /// Returns the first message, which is part of the registration of the key, and the value that
    /// evidence attests to instead of the key's binding.
    func firstOffer(
        to transport: PINTransportPublicKey, nonce text: String
    ) async throws -> (message: String, binding: [UInt8]) {
        guard let nonce = PINNonce(text: text) else {
            throw ProviderConnection.invalid("the challenge's nonce is not valid for a PIN")
        }
        let message = try await requests.firstOffer(to: transport, nonce: nonce)
        let binding = PINRegistrationChallenge.bytes(
            requests.binding, nonce: nonce, transportKey: transport)
        return (String(decoding: message, as: UTF8.self), binding)
    }

    /// Throws before a prompt if the provider's key for proofs is unknown.
    func checkProvider() async throws { _ = try await exchange.proofKey() }

    /// Processes the delivery in the response to the registration: seals it under the PIN and
    /// stores it. The returned secret signs the person in without another prompt, which confirms
    /// it.
    func finishRegistration(
        _ answer: JSONObject, transport: consuming PINTransportKey, nonce text: String,
        under typed: TypedPIN
    ) async throws -> OpenedPINSecret {
        guard let answer = PINResponse(json: answer.bytes), let nonce = PINNonce(text: text) else {
            throw ProviderConnection.invalid("the response about the PIN cannot be parsed")
        }
        return try await accept(
            answer, transport: transport, nonce: nonce, under: typed,
            beside: PINDeviceState(binding: requests.binding))
    }

    /// Decrypts and seals a delivery, and stores it in addition to the active secret.
    private func accept(
        _ answer: PINResponse, transport: consuming PINTransportKey, nonce: PINNonce,
        under typed: TypedPIN, beside state: PINDeviceState
    ) async throws -> OpenedPINSecret {
        let delivered = try transport.open(try await exchange.delivery(answer, nonce))
        let (sealed, secret) = try await sealer.seal(delivered, under: typed.pin)
        try await record.save(try state.offering(sealed))
        return secret
    }

    private func commit(_ secret: OpenedPINSecret) async throws {
        let reply = try await prove { try await $0.commit(secret, nonce: $1) }
        try await apply(reply.answer, reply.nonce)
    }

    // MARK: Sending proofs

    private typealias Message = (PINRequestSigner, PINNonce) async throws -> [UInt8]

    /// Sends a message with a proof; once more if the provider has rotated the key to which the proof
    /// was sealed. A proof that it cannot read is not counted.
    private func prove(
        _ message: Message
    ) async throws -> (answer: PINResponse, nonce: PINNonce) {
        let key = try await exchange.proofKey()
        let reply = try await ask(message, key)
        guard reply.answer == .refused, let newer = await newerProofKey(than: key) else {
            return reply
        }
        return try await ask(message, newer)
    }

    private func ask(
        _ message: Message, _ key: PINProofPublicKey
    ) async throws -> (answer: PINResponse, nonce: PINNonce) {
        let nonce = try await exchange.freshNonce().nonce
        return (try await exchange.ask(try await message(requests.sealing(to: key), nonce)), nonce)
    }

    private func newerProofKey(than key: PINProofPublicKey) async -> PINProofPublicKey? {
        let newest = try? await exchange.proofKey(isNewest: true)
        return newest == key ? nil : newest
    }

    // MARK: Before the prompt

    /// The state with which a PIN can be asked for. After a restart in the middle of a change the
    /// provider says first which secret is active. The first secret needs no such request.
    func resolvedState() async throws -> PINDeviceState {
        let state = try await record.load()
        guard state.offered != nil, state.signInSecret == nil else { return state }
        return try await record.alone { try await self.resolve() }
    }

    /// - Throws: ``IdentityError/Code/pinOutdated`` if an earlier version of the SDK sealed the secret
    ///   and this app cannot open it.
    func checkSupport(_ state: PINDeviceState) throws {
        guard let secret = state.signInSecret, !sealer.supports(secret) else { return }
        throw IdentityError(
            .authentication, .pinOutdated,
            "version 1 of the PIN protocol sealed the PIN: link GatehousePINVersion1, or register again"
        )
    }

    private func resolve() async throws -> PINDeviceState {
        let state = try await record.load()
        guard let offered = state.offered else { return state }
        let nonce = try await exchange.freshNonce().nonce
        try await apply(try await exchange.ask(requests.resolve(offered, nonce: nonce)), nonce)
        return try await record.load()
    }

    /// Whether a PIN counts that an earlier attempt of the same registration has sealed. Such an
    /// attempt was cut off after the provider had taken it; its PIN is the one the person knows.
    func earlierAttemptCounts() async throws -> Bool {
        guard try await record.isThere() else { return false }
        do {
            return try await record.alone { try await self.resolve() }.current != nil
        } catch let error as IdentityError where error.serverCode == PINResponse.refused.code {
            // The provider has never heard of the key.
            try await record.remove()
            return false
        }
    }

    private func apply(_ answer: PINResponse, _ nonce: PINNonce) async throws {
        let version = try await exchange.version(answer, nonce)
        try await record.save(try await record.load().applying(version))
    }

    // MARK: Proving

    /// Decrypts the secret with a PIN. Only the provider can verify the result.
    func open(_ typed: TypedPIN, _ state: PINDeviceState) async throws -> OpenedPINSecret {
        guard let secret = state.signInSecret else {
            throw IdentityError(.authentication, .pinNotSet, "the profile has no active PIN")
        }
        return try await sealer.open(secret, of: state.binding, with: typed.pin)
    }

    /// The result of an entered PIN.
    enum Outcome<Value: Sendable>: Sendable {
        case right(Value)
        case wrong(RemainingAttempts)
    }

    /// Signs in. Should the answer be lost, the same bytes are sent once more: they are never
    /// counted twice.
    ///
    /// - Parameter next: The nonce that the response to a registration contains; `nil` requests one.
    func signIn(
        with secret: OpenedPINSecret, scopes: [String], endpoint: TokenEndpointClient,
        userID: String, next: ServerChallenge? = nil
    ) async throws -> Outcome<StoredTokens> {
        let attempt = SignInAttempt(
            endpoint: endpoint, userID: userID, scopes: scopes,
            nonce: next.flatMap { PINNonce(text: $0.nonce) })
        return try await send(secret, attempt)
    }

    private func send(
        _ secret: OpenedPINSecret, _ attempt: SignInAttempt
    ) async throws -> Outcome<StoredTokens> {
        let key = try await exchange.proofKey()
        let message = try await signInMessage(secret, key, attempt.nonce)
        do {
            return try await send(message, attempt)
        } catch let error as IdentityError where error.code == .notReachable {
            return try await sendAgain(message, secret, key, attempt)
        } catch let error as IdentityError where error.isRefusedPINRequest {
            let newer = await newerProofKey(than: key)
            if newer == nil, try await !isActive(secret) { throw error }
            return try await send(try await signInMessage(secret, newer ?? key), attempt)
        }
    }

    /// Asks whether the first secret of the profile is active, after a sign-in with it was refused. It
    /// is not if another request of the registration came late; then there is no PIN.
    private func isActive(_ secret: OpenedPINSecret) async throws -> Bool {
        guard try await record.load().current == nil else { return false }
        guard try await record.alone({ try await self.resolve() }).current == nil else {
            return true
        }
        throw IdentityError(
            .authentication, .pinNotSet,
            "the provider has another secret for this profile: register again")
    }

    private func sendAgain(
        _ message: String, _ secret: OpenedPINSecret, _ key: PINProofPublicKey,
        _ attempt: SignInAttempt
    ) async throws -> Outcome<StoredTokens> {
        do {
            return try await send(message, attempt)
        } catch let error as IdentityError where error.isRefusedPINRequest {
            // A nonce signs in once: the PIN was right, and that answer is the one that was lost.
            return try await send(try await signInMessage(secret, key), attempt)
        }
    }

    private struct SignInAttempt {
        let endpoint: TokenEndpointClient
        let userID: String
        let scopes: [String]
        /// For the first message.
        let nonce: PINNonce?
    }

    private func signInMessage(
        _ secret: OpenedPINSecret, _ key: PINProofPublicKey, _ known: PINNonce? = nil
    ) async throws -> String {
        let nonce = if let known { known } else { try await exchange.freshNonce().nonce }
        let message = try await requests.sealing(to: key).signIn(with: secret, nonce: nonce)
        return String(decoding: message, as: UTF8.self)
    }

    private func send(
        _ message: String, _ attempt: SignInAttempt
    ) async throws -> Outcome<StoredTokens> {
        do {
            return .right(
                try await attempt.endpoint.request(
                    KeySignIn.form(message, attempt.scopes),
                    expecting: .init(subject: attempt.userID), in: .authentication))
        } catch let refusal as TokenRefusal {
            guard let answer = PINResponse(json: refusal.answer.body) else { throw refusal }
            if case .wrongPIN(let budget) = answer { return .wrong(RemainingAttempts(budget)) }
            throw await exchange.unwanted(answer)
        }
    }

    /// Requests a new secret with the old PIN, and activates it under the new one. Concurrent
    /// changes run one after the other.
    func change(from old: TypedPIN, to new: TypedPIN) async throws -> Outcome<Void> {
        try await record.alone {
            if case .wrong(let attempts) = try await self.confirmFirst(old) {
                return .wrong(attempts)
            }
            let state = try await self.resolve()
            return try await self.change(
                proving: try await self.open(old, state), to: new, state)
        }
    }

    /// Confirms the first secret of a profile, which no signed response has confirmed so far. To ask
    /// which secret is active would withdraw it if the person has not signed in yet.
    private func confirmFirst(_ typed: TypedPIN) async throws -> Outcome<Void> {
        let state = try await record.load()
        guard state.offered != nil, state.signInSecret != nil else { return .right(()) }
        let secret = try await open(typed, state)
        let reply = try await prove { try await $0.commit(secret, nonce: $1) }
        if case .wrongPIN(let budget) = reply.answer { return .wrong(RemainingAttempts(budget)) }
        try await apply(reply.answer, reply.nonce)
        return .right(())
    }

    private func change(
        proving old: OpenedPINSecret, to typed: TypedPIN, _ state: PINDeviceState
    ) async throws -> Outcome<Void> {
        let transport = PINTransportKey()
        let publicKey = transport.publicKey
        let reply = try await prove {
            try await $0.nextOffer(to: publicKey, proving: old, nonce: $1)
        }
        if case .wrongPIN(let budget) = reply.answer { return .wrong(RemainingAttempts(budget)) }
        let secret = try await accept(
            reply.answer, transport: transport, nonce: reply.nonce, under: typed, beside: state)
        try await commit(secret)
        return .right(())
    }

    /// The project's rules for a new PIN.
    func policy() async throws -> PINPolicy {
        guard let policy = try await exchange.freshNonce().policy else {
            throw IdentityError(.pinChange, .methodNotSupported, "the project has no PINs")
        }
        return policy
    }
}

extension IdentityError {
    /// Whether the provider refused a request of the PIN protocol without a reason.
    fileprivate var isRefusedPINRequest: Bool { serverCode == PINResponse.refused.code }
}
