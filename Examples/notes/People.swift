// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting

/// Registering, signing in, leaving.
extension NotesApp {
    /// With a test key, a token of the app's own service, a service of the operator's, or a page in a
    /// browser. `--id` names a registration that was cut off, and brings it to its end.
    func register(_ options: Options) async throws {
        let flow: RegistrationFlow
        if let provider = try credentials(options) {
            let id = options["--id"].flatMap { UUID(uuidString: $0) } ?? UUID()
            NotesApp.tell("Registration \(id.uuidString)")
            flow = client.registration(.credential(provider), idempotencyKey: id)
        } else if let name = options["--with"] {
            flow = client.register(with: name)
        } else {
            flow = client.register()
        }
        for try await step in flow {
            switch step {
            case .browser(let challenge):
                try await challenge.present(
                    with: LoopbackPresenter { NotesApp.tell("Open \($0.absoluteString)") })
            case .createPIN(let challenge):
                try Question.pin("Choose a PIN of \(challenge.policy.length) digits") {
                    try challenge.respond(with: $0)
                }
            case .enterPIN(let challenge): try ask(challenge)
            case .custom(let challenge):
                NotesApp.tell(challenge.payload?.data ?? "For \(challenge.identityProvider.name): ")
                try challenge.respond(with: readLine())
            }
        }
        let outcome = try await flow.outcome
        print("Registered as \(outcome.profile.username) (\(outcome.profile.id)).")
    }

    /// The credential provider of a person, without a page. A real app requests the signed token from
    /// its service, which alone has the issuer's key.
    private func credentials(_ options: Options) throws -> (any CredentialProvider)? {
        func text(_ name: String) throws -> String? {
            try options[name].map { try String(contentsOfFile: $0, encoding: .utf8) }
        }
        guard let keyID = options["--key-id"] else { return nil }
        if let key = try text("--test-key") {
            return try TestKeyCredentialProvider(privateKeyPEM: key, keyID: keyID)
        }
        guard let key = try text("--issuer-key"), let issuer = options["--issuer"],
            let person = options["--person"]
        else { throw Usage() }
        return try SignedJWTCredentialProvider(
            issuer: issuer, keyID: keyID, privateKeyPEM: key, subject: person)
    }

    func signIn(_ profile: Profile.ID?) async throws {
        guard
            let known = try await client.profiles.first(where: {
                profile == nil || $0.id == profile
            })
        else { throw Usage() }
        let flow = client.authenticate(known.id)
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge): try ask(challenge)
            case .authenticator(let challenge): try challenge.respond(prompt: "Sign in to Notes")
            }
        }
        welcome(try await flow.outcome)
    }

    /// Prints the person and the authentication methods of the token (RFC 8176).
    func welcome(_ session: UserSession) {
        let methods = session.idToken?.claim("amr", as: [String].self) ?? []
        print("Signed in as \(session.profile.username), by \(methods.joined(separator: ", ")).")
    }

    func ask(_ challenge: PINChallenge) throws {
        let left = challenge.attempts.map { ", \($0.remaining) attempts left" } ?? ""
        try Question.pin("PIN of \(challenge.profile.username)\(left)") {
            try challenge.respond(with: $0)
        }
    }

    func changePIN() async throws {
        let flow = client.changePIN(of: try await client.session().profile.id)
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge): try ask(challenge)
            case .createPIN(let challenge):
                try Question.pin("New PIN of \(challenge.policy.length) digits") {
                    try challenge.respond(with: $0)
                }
            }
        }
        _ = try await flow.outcome
        print("The new PIN counts.")
    }

    func people() async throws {
        for damaged in try await client.damagedProfiles {
            print("\(damaged)  damaged: remove \(damaged), and register them again")
        }
        for profile in try await client.profiles {
            print("\(profile.id)  \(profile.username)\(profile.hasPIN ? "  with a PIN" : "")")
        }
        for pending in try await client.pendingRegistrations {
            print("\(pending.idempotencyKey.uuidString)  not finished: register --id")
        }
    }

    func signOut(_ scope: SignOutScope) async throws {
        let profile = try await client.session().profile
        report(try await client.signOut(profile.id, scope), "Signed out.")
    }

    func remove(_ id: Profile.ID?) async throws {
        if let id, try await client.damagedProfiles.contains(id) {
            return report(try await client.remove(id), "Removed \(id).")
        }
        let profiles = try await client.profiles
        guard let profile = profiles.last(where: { id == nil || $0.id == id }) else {
            throw Usage()
        }
        report(try await client.remove(profile.id), "Removed \(profile.username).")
    }

    private func report(_ outcome: RemovalOutcome, _ text: String) {
        print(text)
        if case .localOnly(let error) = outcome {
            NotesApp.tell("The provider could not be told: \(error.reason)")
        }
    }
}
