// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

/// The chapters about an app, with the example `notes` (Examples/notes) and its second sign-in
/// method.
extension TourStory {
    private static let rightPIN = "24681"
    private static let wrongPIN = "97135"

    func appChapters(_ notes: TourProgram) -> [Chapter] {
        [
            Chapter(title: "Anna registers the app on her phone") { try await register(notes) },
            Chapter(title: "Bert registers in a tunnel") { try await loseAnAnswer(notes) },
            Chapter(title: "Anna signs in, and mistypes her PIN first") { try await signIn(notes) },
            Chapter(title: "Anna keeps a note, and a thief copies the token") {
                try await keepNotes(notes)
            },
            Chapter(title: "Anna plugs in a security key") { try await addSecurityKey() },
            Chapter(title: "Anna opens a second app, with her key in the machine") {
                try await openSecondApp()
            },
            Chapter(title: "At night the phone asks for the weather") {
                try await askForDevice(notes)
            },
            Chapter(title: "Anna leaves") { try await leave(notes) },
        ]
    }

    /// The arguments to register a person with a token that the app's service signs.
    private func registration(of person: String) -> [String] {
        [
            "register", "--person", person, "--issuer", TourProvider.issuerOfPeople,
            "--issuer-key", TourProvider.vouchingKeyFile, "--key-id", "k1",
        ]
    }

    private func register(_ notes: TourProgram) async throws {
        screen.say(
            """
            The app is Examples/notes, and its phone a folder. The service signs that it is Anna. \
            The phone makes a key that never leaves it, asks for a challenge, and lets Anna choose \
            a PIN.
            """)
        try await notes.succeed(registration(of: "anna"), typing: [Self.rightPIN])
        screen.proves("The key holds itself: it has signed the challenge together with itself.")
        screen.proves("The service's token was used once; nobody registers with it again.")
        screen.proves(
            """
            The PIN is nowhere. The provider sent a secret to the phone, which sealed it under \
            the PIN; only the provider can tell whether what comes out is right.
            """)
    }

    /// Bert's phone is another folder.
    private static let elsewhere = ["NOTES_DIRECTORY": "bert"]

    private func loseAnAnswer(_ notes: TourProgram) async throws {
        screen.say("On the way back the answer gets lost. Is Bert registered? Nobody here knows.")
        let words = registration(of: "bert") + ["--id", UUID().uuidString.lowercased()]
        house.wire.exchange.loseAnswer(at: "/registration")
        let first = try await notes.run(words, at: Self.elsewhere, typing: [Self.rightPIN])
        guard first.status != 0 else { throw CommandError("no answer was lost") }
        screen.say("The same call again, with the same name for the registration:")
        try await notes.succeed(words, at: Self.elsewhere, typing: [Self.rightPIN])
        screen.proves("Bert is registered once: 200 and not 201, the same words.")
    }

    private func signIn(_ notes: TourProgram) async throws {
        try await notes.succeed(["sign-out"])
        screen.say("Anna types \(Self.wrongPIN) first, and \(Self.rightPIN) then.")
        try await notes.succeed(["sign-in"], typing: [Self.wrongPIN, Self.rightPIN])
        screen.proves("The first PIN was wrong, and proven to be: it counts, durably.")
        screen.proves("Two factors, the token says: the phone's key, and the PIN.")
    }

    // MARK: Her notes

    private func keepNotes(_ notes: TourProgram) async throws {
        screen.say(
            """
            The app's own service keeps the notes. The app exchanges its token for one that is for \
            the service alone; the service asks the provider whose it is.
            """)
        try await notes.succeed(["add", "buy milk"])
        try await notes.succeed(["list"])
        screen.proves("The service knows no password, and can do nothing of Anna's elsewhere.")
        guard let shelf else { return }
        screen.say("Somebody has copied such a token, and asks the service with it:")
        let token = try await phone().session()
            .exchange(audience: TourNotes.audience, scopes: [TourNotes.scope])
        for word in ["Bearer", "DPoP"] {
            let status = try await shelf.ask(with: [("authorization", "\(word) \(token.reveal())")])
            guard status == 401 else { throw CommandError("the thief has Anna's notes") }
        }
        screen.proves("401, and 401: without a signature by the phone's key it opens nothing.")
    }

    // MARK: A key of her own

    /// The app in this process, with what the other process keeps: processes share a store.
    private func phone() throws -> IdentityClient {
        try IdentityClient.onThisMachine(
            ClientConfiguration(
                issuer: provider.issuer, clientID: "notes",
                scopes: ClientConfiguration.usualScopes + [TourNotes.scope],
                installationName: "Notes at a terminal"),
            directory: house.folder.path("phone"), passkeys: key)
    }

    private func anna() async throws -> Profile {
        guard let profile = try await phone().profiles.first else {
            throw CommandError("the app has forgotten Anna")
        }
        return profile
    }

    /// An app that keeps nothing.
    private func tasks() throws -> IdentityClient {
        try IdentityClient(
            configuration: ClientConfiguration(
                issuer: provider.issuer, clientID: "tasks", installationName: "The tour"),
            store: InMemorySecureStore(), keys: InMemoryKeyStore(), passkeys: key)
    }

    private func addSecurityKey() async throws {
        screen.say(
            """
            The key is software of this process, and speaks CTAP as one made of steel does; so the \
            tour takes the app's place, with its store. With steel: notes passkey add. Whoever adds \
            a way in shows who they are first: Anna types the PIN of her app.
            """)
        let flow = try phone().enroll(.passkey, for: try await anna().id)
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge): try challenge.respond(with: try PIN(Self.rightPIN))
            case .authenticator(let challenge):
                try challenge.respond(prompt: "Add a security key")
            }
        }
        _ = try await flow.outcome
        screen.proves("The key holds what it made: it has signed the challenge.")
        screen.proves(
            "What it signed names \(provider.issuer): at another address it signs for nobody.")
    }

    private func openSecondApp() async throws {
        screen.say("Tasks has never seen Anna. It asks for a passkey, and asks nobody's name.")
        let session = try await tasks().signIn(.passkey)
        let answer = try await session.data(
            for: ResourceRequest(provider.issuer + "/userinfo"))
        let methods = session.idToken?.claim("amr", as: [String].self) ?? []
        let user = try await anna().userID
        guard answer.status == 200, session.profile.userID == user else {
            throw CommandError("the second app has signed in somebody else")
        }
        screen.proves("The same person, by the same identifier: the key said who she is.")
        screen.proves("A key and its PIN, the token says: \(methods.joined(separator: ", ")).")
    }

    // MARK: Without her, and the end

    private func askForDevice(_ notes: TourProgram) async throws {
        try await notes.succeed(["sign-out"])
        screen.say("Anna is signed out and asleep. The phone speaks for itself, by its key.")
        try await notes.succeed(["device"])
        screen.proves("It gets weather and no more: nothing that is Anna's.")
    }

    private func leave(_ notes: TourProgram) async throws {
        let name = try await anna().username
        try await notes.succeed(["sign-in"], typing: [Self.rightPIN])
        try await notes.succeed(["delete-account"], typing: [name])
        screen.proves("Person, phone, PIN, security key and every token ended in one commit.")
        screen.say("Somebody who has the service sign for Anna once more tries it in Tasks:")
        let vouched = try SignedJWTCredentialProvider(
            issuer: TourProvider.issuerOfPeople, keyID: "k1", privateKeyPEM: provider.vouchingKey,
            subject: "anna")
        do {
            try await tasks().signIn(.credential(vouched))
            throw CommandError("somebody came in as Anna")
        } catch let error as IdentityError {
            screen.proves("Nobody is there: \(error.code).")
        }
        screen.say("Bert takes off his phone only:")
        try await notes.succeed(["remove"], at: Self.elsewhere)
    }
}
