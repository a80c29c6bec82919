// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

/// The story, chapter by chapter.
struct TourStory {
    let screen: TourScreen
    let provider: TourProvider

    private static let rightPIN = "24681"
    private static let wrongPIN = "97135"

    func tell() async throws {
        await begin()
        let wire = try TourTransport(issuer: provider.issuer, screen: screen)
        let key = try TourSecurityKey(origin: provider.issuer, screen: screen)
        let notes = try client("notes", wire, key)
        let anna = try await register(notes)
        try await loseAnAnswer(notes, wire)
        try await signIn(notes, anna)
        try await addSecurityKey(notes, anna)
        try await secondApp(try client("tasks", wire, key), anna)
        try await askForDevice(notes, anna)
        try await leave(notes, anna)
    }

    private func client(
        _ name: String, _ wire: TourTransport, _ key: TourSecurityKey
    ) throws -> IdentityClient {
        try IdentityClient(
            configuration: ClientConfiguration(
                issuer: provider.issuer, clientID: name, installationName: "The tour"),
            store: InMemoryCredentialStore(), keys: InMemoryKeyStore(), passkeys: key,
            transport: wire)
    }

    /// The app's own service says who somebody is.
    private func vouch(for person: String) throws -> SignedJWTCredentialProvider {
        try SignedJWTCredentialProvider(
            issuer: TourProvider.issuerOfPeople, keyID: "k1", privateKeyPEM: provider.vouchingKey,
            subject: person)
    }

    // MARK: Chapters

    private func begin() async {
        await screen.chapter(1, "A provider")
        screen.say(
            """
            A provider runs at \(provider.issuer), in a folder that is thrown away at the end. \
            A file has told it of two apps, Notes and Tasks, and of a service that vouches for \
            people, \(TourProvider.issuerOfPeople), by its public key.
            """)
    }

    private func register(_ notes: IdentityClient) async throws -> Profile {
        await screen.chapter(2, "Anna registers the app on her phone")
        screen.say(
            """
            The service has signed that it is Anna. The phone makes a key that never leaves it, \
            asks for a challenge, and lets Anna choose a PIN.
            """)
        let flow = notes.registration(.credential(try vouch(for: "anna")))
        for try await case .createPIN(let challenge) in flow {
            try challenge.respond(with: try PIN(Self.rightPIN))
        }
        let outcome = try await flow.outcome
        screen.proves("The key holds itself: it has signed the challenge together with itself.")
        screen.proves("The service's token was used once; nobody registers with it again.")
        screen.proves(
            """
            The PIN is nowhere. The provider sent a secret to the phone, which sealed it under \
            the PIN; only the provider can tell whether what comes out is right.
            """)
        return outcome.profile
    }

    private func loseAnAnswer(_ notes: IdentityClient, _ wire: TourTransport) async throws {
        await screen.chapter(3, "Bert registers in a tunnel")
        screen.say("On the way back the answer gets lost. Is Bert registered? Nobody here knows.")
        let (bert, id) = (try vouch(for: "bert"), UUID())
        wire.loseAnswer(at: "/registration")
        do {
            try await notes.register(.credential(bert), idempotencyKey: id)
        } catch let error as IdentityError {
            screen.say("The app is told: \(error.code), try again \(error.retry).")
        }
        screen.say("The same call again, with the same name for the registration:")
        let again = try await notes.register(.credential(bert), idempotencyKey: id)
        screen.proves(
            "\(again.profile.username) is registered once: 200 and not 201, the same words.")
        try await notes.signIn(.deviceKey, as: again.profile.id)
        screen.proves("His key signs him in, and asked him nothing.")
    }

    private func signIn(_ notes: IdentityClient, _ anna: Profile) async throws {
        await screen.chapter(4, "Anna signs in, and mistypes her PIN first")
        try await notes.signOut(anna.id)
        let flow = notes.authenticate(anna.id)
        for try await case .enterPIN(let challenge) in flow {
            let isFirst = challenge.attempts == nil
            if let attempts = challenge.attempts {
                screen.proves(
                    "A wrong PIN, proven to be one: \(attempts.remaining) attempts are left.")
            }
            screen.say(isFirst ? "Anna types \(Self.wrongPIN)." : "Anna types \(Self.rightPIN).")
            try challenge.respond(with: try PIN(isFirst ? Self.wrongPIN : Self.rightPIN))
        }
        let session = try await flow.outcome
        let methods = session.idToken?.claim("amr", as: [String].self) ?? []
        screen.proves(
            "Two factors, the token says: \(methods.joined(separator: " and ")).")
    }

    private func addSecurityKey(_ notes: IdentityClient, _ anna: Profile) async throws {
        await screen.chapter(5, "Anna plugs in a security key")
        screen.say(
            """
            The key is software here, and speaks CTAP as one made of steel does. Whoever adds a \
            way in shows who they are first: Anna types the PIN of her app.
            """)
        let flow = notes.enroll(.passkey, for: anna.id)
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge):
                try challenge.respond(with: try PIN(Self.rightPIN))
            case .authenticator(let challenge):
                try challenge.respond(prompt: "Add a security key")
            }
        }
        _ = try await flow.outcome
        screen.proves("The key holds what it made: it has signed the challenge.")
        screen.proves(
            "What it signed names \(provider.issuer): at another address it signs for nobody.")
    }

    private func secondApp(_ tasks: IdentityClient, _ anna: Profile) async throws {
        await screen.chapter(6, "Anna opens a second app, with her key in the machine")
        screen.say("Tasks has never seen Anna. It asks for a passkey, and asks nobody's name.")
        let session = try await tasks.signIn(.passkey)
        let answer = try await session.data(
            for: ResourceRequest(provider.issuer + "/userinfo"))
        let methods = session.idToken?.claim("amr", as: [String].self) ?? []
        guard answer.status == 200, session.profile.userID == anna.userID else {
            throw CommandError("the second app has signed in somebody else")
        }
        screen.proves("The same person, by the same identifier: the key said who she is.")
        screen.proves("A key and its PIN, the token says: \(methods.joined(separator: ", ")).")
    }

    private func askForDevice(_ notes: IdentityClient, _ anna: Profile) async throws {
        await screen.chapter(7, "At night the phone asks for the weather")
        try await notes.signOut(anna.id)
        screen.say("Anna is signed out and asleep. The phone speaks for itself, by its key.")
        let token = try await notes.device.session(with: anna.id).accessToken()
        screen.proves(
            "It gets \(token.scopes.joined(separator: " ")) and no more: nothing that is Anna's.")
    }

    private func leave(_ notes: IdentityClient, _ anna: Profile) async throws {
        await screen.chapter(8, "Anna leaves")
        let flow = notes.authenticate(anna.id, using: .pin)
        for try await case .enterPIN(let challenge) in flow {
            try challenge.respond(with: try PIN(Self.rightPIN))
        }
        _ = try await flow.outcome
        try await notes.deleteAccount(of: anna.id)
        screen.proves(
            "Person, phone, PIN, security key and every token ended in one commit.")
        screen.say("Bert stays. Somebody who has kept Anna's token for the service tries it:")
        do {
            try await notes.signIn(.credential(try vouch(for: "anna")))
        } catch let error as IdentityError {
            screen.proves("Nobody is there: \(error.code).")
        }
    }
}
