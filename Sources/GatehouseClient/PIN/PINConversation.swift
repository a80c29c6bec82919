// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import PasswordHashing
import Primitives

/// One profile's PIN on this device: what the PIN protocol has a device do, with the provider at
/// the other end of HTTP (`docs/protocols/pin.md`).
///
/// Every state is stored before anything that depends on it is sent.
struct PINConversation: Sendable {
    let connection: ProviderConnection
    let book: ProfileBook
    let profileID: Profile.ID
    private let requests: PINRequestSigner
    private let sealer: PINSealer

    init(
        system: ClientSystem, profileID: Profile.ID, key: any SigningKey
    ) throws {
        connection = system.connection
        book = system.book
        self.profileID = profileID
        let deviceKey = PINKey(key: key, publicKey: try key.publicKey.jwk())
        guard
            let requests = PINRequestSigner(
                issuer: system.configuration.issuer, key: deviceKey)
        else { throw StoreError.damaged("the key cannot sign for a PIN") }
        self.requests = requests
        sealer = PINSealer(
            key: deviceKey, pool: system.hashing, parameters: system.pinCosts,
            random: system.random)
    }

    // MARK: Registration

    /// The first message, which goes along with the registration of the key, and what evidence
    /// attests to in the place of the key's binding.
    func firstOffer(
        to transport: PINTransportPublicKey, nonce text: String
    ) async throws -> (message: String, binding: [UInt8]) {
        guard let nonce = PINNonce(text: text) else {
            throw ProviderConnection.invalid("the challenge's nonce does not fit a PIN")
        }
        let message = try await requests.firstOffer(to: transport, nonce: nonce)
        let binding = PINRegistrationChallenge.bytes(
            requests.binding, nonce: nonce, transportKey: transport)
        return (String(decoding: message, as: UTF8.self), binding)
    }

    /// Takes the delivery that came with the registration: seals it under the PIN, stores it, and
    /// says so. The opened secret can sign the person in without asking again.
    func finishRegistration(
        _ answer: JSONObject, transport: consuming PINTransportKey, nonce text: String,
        under typed: TypedPIN
    ) async throws -> OpenedPINSecret {
        guard let answer = PINAnswer(json: answer.bytes), let nonce = PINNonce(text: text) else {
            throw ProviderConnection.invalid("the answer about the PIN cannot be read")
        }
        let secret = try await take(
            answer, transport: transport, nonce: nonce, under: typed,
            beside: PINDeviceState(binding: requests.binding))
        try await commit(secret)
        return secret
    }

    /// Opens and seals a delivery, and stores it beside what counts now.
    private func take(
        _ answer: PINAnswer, transport: consuming PINTransportKey, nonce: PINNonce,
        under typed: TypedPIN, beside state: PINDeviceState
    ) async throws -> OpenedPINSecret {
        let delivered = try transport.open(try await delivery(answer, nonce))
        let (sealed, secret) = try await sealer.seal(delivered, under: typed.pin)
        try await save(try state.offering(sealed))
        return secret
    }

    private func delivery(
        _ answer: PINAnswer, _ nonce: PINNonce
    ) async throws -> VerifiedPINDelivery {
        guard case .delivery(let statement) = answer else { throw await unwanted(answer) }
        return try await verified {
            (verifier) throws(PINStatementError) in
            try verifier.delivery(statement, answering: nonce)
        }
    }

    private func commit(_ secret: OpenedPINSecret) async throws {
        let nonce = try await freshNonce().nonce
        let message = try await requests.commit(secret, nonce: nonce)
        try await apply(try await ask(message), nonce)
    }

    // MARK: Before anybody is asked

    /// The state with which a PIN can be asked for. After a restart in the middle of a change the
    /// provider says first which secret counts.
    func settledState() async throws -> PINDeviceState {
        let state = try await load()
        guard state.offered != nil else { return state }
        return try await alone { try await self.settle() }
    }

    private func settle() async throws -> PINDeviceState {
        let state = try await load()
        guard let offered = state.offered else { return state }
        let nonce = try await freshNonce().nonce
        try await apply(try await ask(requests.resolve(offered, nonce: nonce)), nonce)
        return try await load()
    }

    /// Whether a PIN counts that an earlier attempt of the same registration has sealed. Such an
    /// attempt was cut off after the provider had taken it; its PIN is the one the person knows.
    func earlierAttemptCounts() async throws -> Bool {
        guard try await book.store.read(ProfileBook.pin(profileID)) != nil else { return false }
        do {
            return try await settledState().current != nil
        } catch let error as IdentityError where error.serverCode == PINAnswer.refused.code {
            // The provider has never heard of the key.
            try await book.store.remove(ProfileBook.pin(profileID))
            return false
        }
    }

    private func apply(_ answer: PINAnswer, _ nonce: PINNonce) async throws {
        guard case .version(let statement) = answer else { throw await unwanted(answer) }
        let version = try await verified {
            (verifier) throws(PINStatementError) in
            try verifier.version(statement, answering: nonce)
        }
        try await save(try await load().applying(version))
    }

    // MARK: Proving

    /// What that PIN opens; only the provider knows whether it is the secret.
    func open(_ typed: TypedPIN, _ state: PINDeviceState) async throws -> OpenedPINSecret {
        guard let secret = state.signInSecret else {
            throw IdentityError(.authentication, .pinNotSet, "no PIN counts for this profile")
        }
        return try await sealer.open(secret, of: state.binding, with: typed.pin)
    }

    /// What came of one PIN.
    enum Outcome<Value: Sendable>: Sendable {
        case right(Value)
        case wrong(AttemptBudget)
    }

    /// Signs in. Should the answer be lost, the same bytes are sent once more: they are never
    /// counted twice.
    func signIn(
        with secret: OpenedPINSecret, scopes: [String], endpoint: TokenEndpoint, userID: String
    ) async throws -> Outcome<StoredTokens> {
        let attempt = SignInAttempt(endpoint: endpoint, userID: userID, scopes: scopes)
        let message = try await signInMessage(secret)
        do {
            return try await send(message, attempt)
        } catch let error as IdentityError where error.code == .notReachable {}
        do {
            return try await send(message, attempt)
        } catch let error as IdentityError where error.serverCode == PINAnswer.refused.code {
            // A nonce signs in once: the PIN was right, and that answer is the one that was lost.
            return try await send(try await signInMessage(secret), attempt)
        }
    }

    private struct SignInAttempt {
        let endpoint: TokenEndpoint
        let userID: String
        let scopes: [String]
    }

    private func signInMessage(_ secret: OpenedPINSecret) async throws -> String {
        let message = try await requests.signIn(with: secret, nonce: try await freshNonce().nonce)
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
            guard let answer = PINAnswer(json: refusal.answer.body) else { throw refusal }
            if case .wrongPIN(let budget) = answer { return .wrong(AttemptBudget(budget)) }
            throw await unwanted(answer)
        }
    }

    /// Asks for a new secret, proving the old PIN, and has it count under the new one. Of two that
    /// change it at once, the second begins when the first has ended.
    func change(from old: TypedPIN, to new: TypedPIN) async throws -> Outcome<Void> {
        try await alone {
            let state = try await self.settle()
            return try await self.change(
                proving: try await self.open(old, state), to: new, state)
        }
    }

    private func change(
        proving old: OpenedPINSecret, to typed: TypedPIN, _ state: PINDeviceState
    ) async throws -> Outcome<Void> {
        let transport = PINTransportKey()
        let nonce = try await freshNonce().nonce
        let message = try await requests.nextOffer(
            to: transport.publicKey, proving: old, nonce: nonce)
        let answer = try await ask(message)
        if case .wrongPIN(let budget) = answer { return .wrong(AttemptBudget(budget)) }
        let secret = try await take(
            answer, transport: transport, nonce: nonce, under: typed, beside: state)
        try await commit(secret)
        return .right(())
    }

    /// The project's rules for a new PIN.
    func policy() async throws -> PINPolicy {
        guard let policy = try await freshNonce().policy else {
            throw IdentityError(.pinChange, .methodNotSupported, "the project has no PINs")
        }
        return policy
    }

    // MARK: Asking

    private func freshNonce() async throws -> (nonce: PINNonce, policy: PINPolicy?) {
        let challenge = try await connection.post("pin_challenge", nil, in: .authentication)
        guard let nonce = challenge["nonce"]?.string.flatMap({ PINNonce(text: $0) }) else {
            throw ProviderConnection.invalid("the nonce for a PIN cannot be read")
        }
        return (nonce, PINRules(challenge["pin"])?.policy)
    }

    /// One message, to the address for them. Refusals are answers, too.
    private func ask(_ message: [UInt8]) async throws -> PINAnswer {
        let url = try await connection.address("pin", in: .authentication)
        let body: JSONValue = ["request": .string(String(decoding: message, as: UTF8.self))]
        var request = ResourceRequest(url, method: "POST", body: body.bytes)
        request.set("content-type", "application/json")
        let answer = try await sendAgainWhenLost(request)
        guard let read = PINAnswer(json: answer.body) else {
            throw ProviderRefusal.error(answer, in: .authentication)
        }
        return read
    }

    /// The same bytes, when no answer came: what was answered already is answered again.
    private func sendAgainWhenLost(_ request: ResourceRequest) async throws -> ResourceResponse {
        do {
            return try await connection.send(request, in: .authentication)
        } catch {
            guard error.code == .notReachable else { throw error }
        }
        return try await connection.send(request, in: .authentication)
    }

    private func verified<Value: Sendable>(
        _ body: (PINStatementVerifier) throws(PINStatementError) -> Value
    ) async throws -> Value {
        let known = try await connection.knownDocuments()
        do {
            return try body(PINStatementVerifier(keys: known.keySet, binding: requests.binding))
        } catch .unverifiable {
            // Signed with a key that is newer than what is known.
            let newest = try await connection.fetch()
            return try body(PINStatementVerifier(keys: newest.keySet, binding: requests.binding))
        }
    }

    /// The error for an answer that ends it. A signed end is stored before it is thrown.
    private func unwanted(_ answer: PINAnswer) async -> any Error {
        guard case .ended(let statement) = answer else {
            return IdentityError(
                .authentication, .notAuthorized, "the provider answered \(answer.code)",
                serverCode: answer.code)
        }
        do {
            let ending = try await verified {
                (verifier) throws(PINStatementError) in try verifier.ending(statement)
            }
            return ProfileEnded(
                code: ending.ending == .profileLocked ? .profileLocked : .deviceRevoked)
        } catch {
            // Not signed: it changes nothing here.
            return IdentityError(
                .authentication, .notAuthorized, "an end without a signature that counts",
                underlying: error)
        }
    }

    // MARK: The store

    /// Runs what reads the state, sends something that rests on it, and writes it, while nobody
    /// else with this store does: two that offer a secret at once would each write over the other's,
    /// and one of them counts at the provider.
    private func alone<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await book.store.withLock(RecordName("pinstate", profileID.rawValue), body)
    }

    private func load() async throws -> PINDeviceState {
        guard let bytes = try await book.store.read(ProfileBook.pin(profileID)) else {
            throw IdentityError(.authentication, .pinNotSet, "the profile has no PIN here")
        }
        guard let state = PINDeviceState(json: bytes) else {
            throw StoreError.damaged("the profile's PIN secret cannot be read")
        }
        return state
    }

    private func save(_ state: PINDeviceState) async throws {
        try await book.store.write(state.json, to: ProfileBook.pin(profileID))
    }
}

/// The provider has ended the profile and signed that it has: now it is wiped here.
struct ProfileEnded: Error {
    let code: IdentityError.Code
}

/// What a challenge says of PINs.
struct PINRules: Sendable {
    let isRequired: Bool
    let policy: PINPolicy

    /// `nil` where there are none.
    init?(_ value: JSONValue?) {
        guard let use = value?["use"]?.string, use != "off",
            let policy = value?["policy"].flatMap({ DevicePINPolicy($0) })
        else { return nil }
        isRequired = use == "required"
        self.policy = PINPolicy(policy)
    }
}

/// The profile's key, as the PIN protocol's device half sees it.
private struct PINKey: PINDeviceKey, PINSealingKey {
    let key: any SigningKey
    let publicKey: PublicJWK

    var isHardware: Bool { key.isHardware }

    func signature(over input: [UInt8]) async throws -> [UInt8] {
        try await key.signature(over: input)
    }

    func seal(
        _ plaintext: [UInt8], context: [UInt8]
    ) async throws(PINSealingKeyError) -> [UInt8] {
        do { return try await key.seal(plaintext, context: context) } catch {
            throw Self.failure(error)
        }
    }

    func open(
        _ sealed: [UInt8], context: [UInt8]
    ) async throws(PINSealingKeyError) -> [UInt8] {
        do { return try await key.open(sealed, context: context) } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: any Error) -> PINSealingKeyError {
        (error as? StoreError)?.isDamage == true ? .refused : .unavailable
    }
}
