// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Synchronization
import WebAuthn

/// The in-memory accounts and ceremonies of the FIDO conformance tools, limited in number.
final class ConformanceBench: Sendable {
    /// The relying party, metadata, randomness and time of one request.
    struct RequestContext: Sendable {
        var relyingParty: RelyingParty
        var metadata: MetadataSnapshot?
        var random: any RandomSource
        var now: Timestamp
    }

    /// A refused request, with the reason for the person who runs the tools.
    struct Failed: Error {
        var message: String

        init(message: String) { self.message = message }

        init(_ error: ConformanceMessages.ParseError) {
            message = "\(error.member) is missing or has a value that is not known"
        }
    }

    struct Key: Sendable {
        var id: [UInt8]
        var publicKey: [UInt8]
        var signCount: UInt32
        var isBackupEligible: Bool
        var transports: [String]
    }

    struct Account: Sendable {
        var handle: [UInt8]
        var keys: [Key] = []

        var descriptors: [CredentialDescriptor] {
            keys.map { CredentialDescriptor(id: $0.id, transports: $0.transports) }
        }
    }

    /// An issued challenge, and the ceremony that it was issued for.
    struct Pending: Sendable {
        enum Ceremony: Sendable { case registration(AttestationConveyance), signIn }

        var ceremony: Ceremony
        var username: String
        var verification: UserVerificationRequirement
        var extensions: JSONObject
        var expiresAt: Timestamp
    }

    struct State {
        var accounts: [String: Account] = [:]
        var challenges: [String: Pending] = [:]
    }

    private let state = Mutex(State())
    private static let maximumCount = 10_000
    private static let lifetime = TimeSpan.minutes(5)

    // MARK: Registration

    func registrationOptions(
        _ body: JSONObject, _ place: RequestContext
    ) -> Result<JSONObject, Failed> {
        let request: ConformanceMessages.CreationRequest
        do throws(ConformanceMessages.ParseError) {
            request = try ConformanceMessages.CreationRequest(.object(body))
        } catch { return .failure(Failed(error)) }
        let account = account(request.username, place)
        let challenge = issue(
            Pending(
                ceremony: .registration(request.attestation), username: request.username,
                verification: request.userVerification, extensions: request.extensions,
                expiresAt: place.now + Self.lifetime), place)
        let options = request.options(
            relyingParty: place.relyingParty, name: "Gatehouse", userId: account.handle,
            challenge: challenge, excluding: account.descriptors,
            algorithms: COSEAlgorithm.allCases)
        return .success(options.json.object ?? JSONObject())
    }

    func register(_ body: JSONObject, _ place: RequestContext) async -> Result<JSONObject, Failed> {
        let pending: Pending
        let challenge: [UInt8]
        switch consumeChallenge(body, place) {
        case .success(let found): (pending, challenge) = found
        case .failure(let failure): return .failure(failure)
        }
        guard case .registration(let conveyance) = pending.ceremony else {
            return .failure(Failed(message: "the challenge was for signing in"))
        }
        do throws(WebAuthnRefusal) {
            let claimed = try UnverifiedRegistration(
                json: ConformanceMessages.response(.object(body)))
            var extensions = RegistrationExtensions()
            extensions.others = pending.extensions
            let outcome = await place.relyingParty.verify(
                registration: claimed,
                expecting: RegistrationExpectation(
                    challenge: challenge, userVerification: pending.verification,
                    algorithms: AcceptedAlgorithms(COSEAlgorithm.allCases),
                    attestation: Self.policy(conveyance, place), extensions: extensions,
                    now: place.now))
            return save(try outcome.get(), of: pending.username)
        } catch {
            return .failure(Failed(message: "\(error)"))
        }
    }

    private static func policy(
        _ conveyance: AttestationConveyance, _ place: RequestContext
    ) -> AttestationPolicy {
        var policy = AttestationPolicy.unassessed
        policy.conveyance = conveyance
        policy.source = place.metadata
        return policy
    }

    /// Stores a credential. Its id must not be registered yet.
    private func save(
        _ registration: VerifiedRegistration, of username: String
    ) -> Result<JSONObject, Failed> {
        state.withLock { state in
            let isTaken = state.accounts.values.contains { account in
                account.keys.contains { $0.id == registration.credentialId }
            }
            guard !isTaken else { return .failure(Failed(message: "credential id is taken")) }
            state.accounts[username]?.keys.append(
                Key(
                    id: registration.credentialId, publicKey: registration.publicKey,
                    signCount: registration.signCount,
                    isBackupEligible: registration.isBackupEligible,
                    transports: registration.transports))
            return .success(JSONObject())
        }
    }

    // MARK: Signing in

    func signInOptions(_ body: JSONObject, _ place: RequestContext) -> Result<JSONObject, Failed> {
        let request: ConformanceMessages.AssertionRequest
        do throws(ConformanceMessages.ParseError) {
            request = try ConformanceMessages.AssertionRequest(.object(body))
        } catch { return .failure(Failed(error)) }
        guard let account = state.withLock({ $0.accounts[request.username] }),
            !account.keys.isEmpty
        else { return .failure(Failed(message: "no such user")) }
        let challenge = issue(
            Pending(
                ceremony: .signIn, username: request.username,
                verification: request.userVerification, extensions: request.extensions,
                expiresAt: place.now + Self.lifetime), place)
        let options = request.options(
            relyingParty: place.relyingParty, challenge: challenge, allowing: account.descriptors)
        return .success(options.json.object ?? JSONObject())
    }

    func signIn(_ body: JSONObject, _ place: RequestContext) async -> Result<JSONObject, Failed> {
        let pending: Pending
        let challenge: [UInt8]
        switch consumeChallenge(body, place) {
        case .success(let found): (pending, challenge) = found
        case .failure(let failure): return .failure(failure)
        }
        guard case .signIn = pending.ceremony else {
            return .failure(Failed(message: "the challenge was for a registration"))
        }
        let account = state.withLock { $0.accounts[pending.username] }
        do throws(WebAuthnRefusal) {
            let claimed = try UnverifiedAssertion(json: ConformanceMessages.response(.object(body)))
            guard let account, let key = account.keys.first(where: { $0.id == claimed.id }) else {
                return .failure(Failed(message: "no such credential of this user"))
            }
            var extensions = AuthenticationExtensions()
            extensions.others = pending.extensions
            let assertion = try place.relyingParty.verify(
                assertion: claimed,
                for: StoredCredential(
                    id: key.id, publicKey: key.publicKey, signCount: key.signCount,
                    backupEligible: key.isBackupEligible, userHandle: account.handle),
                expecting: AssertionExpectation(
                    challenge: challenge, userVerification: pending.verification,
                    allowCredentials: account.keys.map(\.id), owner: account.handle,
                    acceptsRS1: true, extensions: extensions)
            ).get()
            return count(assertion, from: key.signCount, of: pending.username)
        } catch {
            return .failure(Failed(message: "\(error)"))
        }
    }

    /// Saves the counter. Of two sign-ins that read the same counter one succeeds.
    private func count(
        _ assertion: VerifiedAssertion, from old: UInt32, of username: String
    ) -> Result<JSONObject, Failed> {
        state.withLock { state in
            guard
                let index = state.accounts[username]?.keys
                    .firstIndex(where: { $0.id == assertion.credentialId }),
                state.accounts[username]?.keys[index].signCount == old
            else { return .failure(Failed(message: "the counter changed in the meantime")) }
            state.accounts[username]?.keys[index].signCount = assertion.signCount
            return .success(JSONObject())
        }
    }

    // MARK: Accounts and challenges

    private func account(_ username: String, _ place: RequestContext) -> Account {
        state.withLock { state in
            if let known = state.accounts[username] { return known }
            if state.accounts.count >= Self.maximumCount { state.accounts.removeAll() }
            let fresh = Account(handle: place.random.bytes(32))
            state.accounts[username] = fresh
            return fresh
        }
    }

    private func issue(_ pending: Pending, _ place: RequestContext) -> [UInt8] {
        let challenge = place.random.bytes(32)
        state.withLock { state in
            if state.challenges.count >= Self.maximumCount {
                state.challenges = state.challenges.filter { $0.value.expiresAt > place.now }
                if state.challenges.count >= Self.maximumCount { state.challenges.removeAll() }
            }
            state.challenges[Base64URL.encode(challenge)] = pending
        }
        return challenge
    }

    /// Consumes the challenge that the client data contain. It must have been issued, and not consumed.
    private func consumeChallenge(
        _ body: JSONObject, _ place: RequestContext
    ) -> Result<(Pending, [UInt8]), Failed> {
        guard let encoded = body["response"]?["clientDataJSON"]?.string,
            let bytes = Base64URL.decode(encoded),
            let data = try? JSONParser.parseObject(bytes, maximumBytes: 65_536),
            let text = data["challenge"]?.string, let challenge = Base64URL.decode(text)
        else { return .failure(Failed(message: "response.clientDataJSON cannot be read")) }
        let pending = state.withLock { $0.challenges.removeValue(forKey: text) }
        guard let pending, pending.expiresAt > place.now else {
            return .failure(Failed(message: "the challenge is unknown, used, or too old"))
        }
        return .success((pending, challenge))
    }
}
