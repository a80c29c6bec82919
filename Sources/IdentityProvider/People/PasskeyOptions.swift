// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
import Storage
import WebAuthn

/// The first half of a WebAuthn ceremony: what the browser is asked.
package struct PasskeyOptions: Sendable {
    /// Comes back with the answer.
    package let ceremony: String
    /// `PublicKeyCredentialCreationOptionsJSON` or `…RequestOptionsJSON`, sections 5.1.9, 5.1.10.
    package let publicKey: JSONValue

    /// `{"ceremony":…,"publicKey":…}`.
    package var json: JSONValue {
        ["ceremony": .string(ceremony), "publicKey": publicKey]
    }

    /// For somebody without an account. What is typed is judged now, so that nobody makes a
    /// passkey for an account that cannot be.
    package static func register(
        _ application: AccountApplication, in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        let outcome = try await checked(application, in: context).continued { person in
            let memory = JSONObject([
                .init(name: "flow", value: "new"),
                .init(name: "person", value: .string(person.id.description)),
                .init(name: "username", value: .string(application.username)),
                .init(name: "name", value: .string(application.name)),
                .init(name: "email", value: .string(application.email)),
                .init(name: "setup", value: .string(application.setUpToken ?? "")),
            ])
            return .success(try await create(for: person, excluding: [], memory, in: context))
        }
        return try await refusalsSettled("registration.passkey", outcome, in: context)
    }

    private static func checked(
        _ application: AccountApplication, in context: CeremonyContext
    ) async throws -> Result<Person, Declined> {
        if let declined = try await AttemptCounter(context: context).countAddress() {
            return .failure(declined)
        }
        return try await application.applicant(context.newIdentifier(), in: context)
            .continued { person in
                let declined = try await application.policy(on: person, in: context)
                return declined.map { .failure($0) } ?? .success(person)
            }
    }

    /// For somebody who is signed in, with a factor shown in the last five minutes.
    package static func add(
        for signedIn: SignedIn, in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        let person = signedIn.person
        guard signedIn.isFresh(at: context.now) else {
            return try await refusalsSettled(
                "credential.passkey.added",
                .refused(.freshSignInNeeded, because: "not fresh", person: person.id), in: context)
        }
        let known = try await context.store.credentials(of: person.id)
            .filter { $0.kind == .publicKey }
        let memory = JSONObject([
            .init(name: "flow", value: "add"),
            .init(name: "person", value: .string(person.id.description)),
        ])
        return .success(try await create(for: person, excluding: known, memory, in: context))
    }

    /// For anyone who wants in. The same for everybody: no user name is asked and none is used,
    /// because every passkey here is discoverable. So nobody learns who has one.
    package static func signIn(in context: CeremonyContext) async throws -> PasskeyOptions {
        let challenge = try await PasskeyChallenge.issue(
            .passkeySignIn, remembering: JSONObject(), in: context)
        return PasskeyOptions(
            ceremony: challenge.text,
            publicKey: [
                "challenge": .string(challenge.text), "rpId": .string(context.relyingParty.id),
                "timeout": .integer(PasskeyChallenge.timeout), "userVerification": "required",
                "allowCredentials": [],
            ])
    }

    private static func create(
        for person: Person, excluding known: [Credential], _ memory: JSONObject,
        in context: CeremonyContext
    ) async throws -> PasskeyOptions {
        let challenge = try await PasskeyChallenge.issue(
            .passkeyRegistration, remembering: memory, in: context)
        let site = context.tenant.project.theme.displayName ?? context.relyingParty.id
        let algorithms = COSEAlgorithm.offeredByDefault.map { algorithm -> JSONValue in
            ["type": "public-key", "alg": .integer(algorithm.rawValue)]
        }
        return PasskeyOptions(
            ceremony: challenge.text,
            publicKey: [
                "rp": ["id": .string(context.relyingParty.id), "name": .string(site)],
                "user": [
                    "id": .string(Base64URL.encode(person.id.bytes)),
                    "name": .string(person.username),
                    "displayName": .string(person.claims.name ?? person.username),
                ],
                "challenge": .string(challenge.text), "pubKeyCredParams": .array(algorithms),
                "timeout": .integer(PasskeyChallenge.timeout),
                "excludeCredentials": .array(known.map(descriptor)),
                "authenticatorSelection": [
                    "residentKey": "required", "requireResidentKey": true,
                    "userVerification": "required",
                ],
                "attestation": "none", "extensions": ["credProps": true],
            ])
    }

    private static func descriptor(_ credential: Credential) -> JSONValue {
        let details = PasskeyDetails(credential.details)
        return [
            "type": "public-key", "id": .string(Base64URL.encode(credential.externalID)),
            "transports": .array(details.transports.map { .string($0) }),
        ]
    }

    /// A ceremony that ends before it began leaves its event all the same; one that goes on leaves
    /// it when it is over.
    private static func refusalsSettled(
        _ action: String, _ outcome: Result<PasskeyOptions, Declined>, in context: CeremonyContext
    ) async throws -> Result<PasskeyOptions, Refusal> {
        guard case .success(let options) = outcome else {
            return try await context.settle(action, outcome) { _ in nil }
        }
        return .success(options)
    }
}
