// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import PIN

/// The device's side of the PIN protocol for one profile (`docs/protocols/pin.md`).
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
            key: deviceKey, pool: dependencies.hashing, parameters: dependencies.pinCosts,
            random: dependencies.random)
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

    /// Processes the delivery in the response to the registration: seals it under the PIN, stores
    /// it, and confirms it. The returned secret signs the person in without another prompt.
    ///
    /// - Parameter next: The nonce for the confirmation; `nil` requests one.
    func finishRegistration(
        _ answer: JSONObject, transport: consuming PINTransportKey, nonce text: String,
        under typed: TypedPIN, next: ServerChallenge?
    ) async throws -> OpenedPINSecret {
        guard let answer = PINResponse(json: answer.bytes), let nonce = PINNonce(text: text) else {
            throw ProviderConnection.invalid("the response about the PIN cannot be parsed")
        }
        let secret = try await accept(
            answer, transport: transport, nonce: nonce, under: typed,
            beside: PINDeviceState(binding: requests.binding))
        try await commit(secret, next.flatMap { PINNonce(text: $0.nonce) })
        return secret
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

    private func commit(_ secret: OpenedPINSecret, _ known: PINNonce? = nil) async throws {
        let nonce = if let known { known } else { try await exchange.freshNonce().nonce }
        let message = try await requests.commit(secret, nonce: nonce)
        try await apply(try await exchange.ask(message), nonce)
    }

    // MARK: Before the prompt

    /// The state with which a PIN can be asked for. After a restart in the middle of a change the
    /// provider says first which secret counts.
    func resolvedState() async throws -> PINDeviceState {
        let state = try await record.load()
        guard state.offered != nil else { return state }
        return try await record.alone { try await self.resolve() }
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
            return try await resolvedState().current != nil
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
    func signIn(
        with secret: OpenedPINSecret, scopes: [String], endpoint: TokenEndpointClient,
        userID: String
    ) async throws -> Outcome<StoredTokens> {
        let attempt = SignInAttempt(endpoint: endpoint, userID: userID, scopes: scopes)
        let message = try await signInMessage(secret)
        do {
            return try await send(message, attempt)
        } catch let error as IdentityError where error.code == .notReachable {}
        do {
            return try await send(message, attempt)
        } catch let error as IdentityError where error.serverCode == PINResponse.refused.code {
            // A nonce signs in once: the PIN was right, and that answer is the one that was lost.
            return try await send(try await signInMessage(secret), attempt)
        }
    }

    private struct SignInAttempt {
        let endpoint: TokenEndpointClient
        let userID: String
        let scopes: [String]
    }

    private func signInMessage(_ secret: OpenedPINSecret) async throws -> String {
        let nonce = try await exchange.freshNonce().nonce
        let message = try await requests.signIn(with: secret, nonce: nonce)
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
            let state = try await self.resolve()
            return try await self.change(
                proving: try await self.open(old, state), to: new, state)
        }
    }

    private func change(
        proving old: OpenedPINSecret, to typed: TypedPIN, _ state: PINDeviceState
    ) async throws -> Outcome<Void> {
        let transport = PINTransportKey()
        let nonce = try await exchange.freshNonce().nonce
        let message = try await requests.nextOffer(
            to: transport.publicKey, proving: old, nonce: nonce)
        let answer = try await exchange.ask(message)
        if case .wrongPIN(let budget) = answer { return .wrong(RemainingAttempts(budget)) }
        let secret = try await accept(
            answer, transport: transport, nonce: nonce, under: typed, beside: state)
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
