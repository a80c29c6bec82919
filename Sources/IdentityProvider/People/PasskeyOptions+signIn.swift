// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
package import OAuth
import Primitives
import Storage
import WebAuthn

extension PasskeyOptions {
    /// For anyone who wants in. The same for everybody: no user name is asked and none is used.
    /// The answer does not reveal who has a passkey. It stores nothing, so there is no limit.
    package static func signIn(
        in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        .success(try request(SignInState(), allowing: [], in: context))
    }

    /// For somebody who typed a user name, and whose key may be too small to keep names. Unknown
    /// people, and those without a key, have keys as well: see ``DecoyCredentials``.
    package static func signIn(
        named typed: String, in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        if let declined = try await AttemptCounter(context: context).countChallenge() {
            return try await refusalsSettled("sign-in.passkey", .failure(declined), in: context)
        }
        let username = UserName.canonical(typed)
        let decoys = DecoyCredentials(context: context).descriptors(for: username ?? typed)
        let person = try await context.person(calling: username ?? "")
        // A stranger costs the same two reads.
        let known = try await context.store.credentials(of: person?.id ?? context.newIdentifier())
            .filter { $0.kind == .publicKey }
        var memory = SignInState()
        // An id of no person, so that the challenge for an unknown name has the same length.
        memory.person = known.isEmpty ? context.newIdentifier() : person?.id
        memory.isNamed = true
        let allowed = known.isEmpty ? decoys : known.map(CredentialDescriptor.init)
        return .success(
            try request(memory, allowing: allowed, hints: [.securityKey], in: context))
    }

    /// For somebody who is signed in and must show a key as well: their own ones that reach
    /// `wanted`, and no others. `nil` when they have none.
    package static func stepUp(
        for signedIn: AuthenticatedSession, to wanted: ContextClass, in context: CeremonyContext
    ) async throws -> PasskeyOptions? {
        let keys = PersonalKeys(
            try await context.store.credentials(of: signedIn.person.id), policy: context.keyPolicy
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

/// What the challenge of a sign-in remembers.
struct SignInState: Sendable {
    /// Whose credential it must be; `nil` when it is to say so itself, or when there is nobody.
    var person: Identifier<Person>?
    /// Whether a person was meant, even one who is not there.
    var isNamed = false
    /// Fingerprints of the credentials that were named: whole ids may be a kilobyte each.
    var allowed: [[UInt8]] = []
    /// The class that a step up is for.
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
