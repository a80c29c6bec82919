// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
package import OAuth
import Primitives
package import ProviderCore
import ProviderSettings
import Storage
import WebAuthn

extension PasskeyOptions {
    /// The options for a sign-in without a username. They are the same for all people, so they do
    /// not reveal who has a passkey. Nothing is stored, so their number is not limited.
    package static func signIn(
        in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        .success(try request(SignInState(), allowing: [], in: context))
    }

    /// The options for a sign-in with a username, for keys that are not discoverable. Unknown names
    /// and people without a key receive ``DecoyCredentials``.
    package static func signIn(
        named typed: String, in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        if let declined = try await AttemptCounter(context: context).countChallenge() {
            return try await refusalsSettled("sign-in.passkey", .failure(declined), in: context)
        }
        let username = UserName.canonical(typed)
        let decoys = DecoyCredentials(context: context).descriptors(for: username ?? typed)
        let person = try await context.person(calling: username ?? "")
        // An unknown name causes the same two reads.
        let known = try await context.store.credentials.credentials(
            of: person?.id ?? context.newIdentifier()
        )
        .filter { $0.kind == .publicKey }
        var memory = SignInState()
        // The ID of no person, so that the challenge for an unknown name has the same length.
        memory.person = known.isEmpty ? context.newIdentifier() : person?.id
        memory.isNamed = true
        let allowed = known.isEmpty ? decoys : known.map(CredentialDescriptor.init)
        return .success(
            try request(memory, allowing: allowed, hints: [.securityKey], in: context))
    }

    /// The options for a step-up of a signed-in person: only their keys that reach `wanted`.
    /// Returns `nil` if they have none.
    package static func stepUp(
        for signedIn: AuthenticatedSession, to wanted: ContextClass, in context: CeremonyContext
    ) async throws -> PasskeyOptions? {
        let keys = PersonalKeys(
            try await context.store.credentials.credentials(of: signedIn.person.id),
            policy: context.keyPolicy
        ).reaching(wanted)
        guard !keys.isEmpty else { return nil }
        var memory = SignInState()
        memory.person = signedIn.person.id
        memory.isNamed = true
        memory.wanted = wanted
        return try request(memory, allowing: keys.map(CredentialDescriptor.init), in: context)
    }

    private static func request(
        _ memory: SignInState, allowing allowed: [CredentialDescriptor],
        hints: [CredentialHint] = [], in context: CeremonyContext
    ) throws -> PasskeyOptions {
        var memory = memory
        memory.allowed = allowed.map { SignInState.fingerprint(of: $0.id) }
        let challenge = try PasskeyChallenge.issue(
            .passkeySignIn, remembering: memory.object, in: context)
        var options = RequestOptions(
            relyingParty: context.relyingParty, challenge: challenge.bytes)
        options.timeout = PasskeyChallenge.timeout
        options.userVerification = context.keyPolicy.verification
        options.allowCredentials = allowed
        options.hints = hints
        return PasskeyOptions(ceremony: challenge.text, publicKey: options.json)
    }
}

/// The state in the challenge of a sign-in.
struct SignInState: Sendable {
    /// The person who must own the credential; `nil` if the credential identifies its owner. For an
    /// unknown name it is the ID of no person.
    var person: Identifier<Person>?
    /// Whether the sign-in began with a username, known or not.
    var isNamed = false
    /// Fingerprints of the allowed credentials, because an ID can have a length of one kilobyte.
    var allowed: [[UInt8]] = []
    /// The class that a step-up requires.
    var wanted: ContextClass?

    var object: JSONObject {
        var object = JSONObject()
        guard isNamed else { return object }
        object["person"] = .string(person?.description ?? "")
        object["allowed"] = .array(allowed.map { .string(Base64URL.encode($0)) })
        object["wanted"] = wanted.map { .string($0.rawValue) }
        return object
    }

    static func fingerprint(of credential: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: credential).prefix(16))
    }

    func allows(_ credential: [UInt8]) -> Bool {
        !isNamed || allowed.contains(Self.fingerprint(of: credential))
    }

    init() {}

    init(_ object: JSONObject) {
        isNamed = object["person"] != nil
        person = Identifier(object["person"]?.string ?? "")
        allowed = (object["allowed"]?.strings ?? []).compactMap { Base64URL.decode($0) }
        wanted = object["wanted"]?.string.flatMap(ContextClass.init(exactly:))
    }
}
