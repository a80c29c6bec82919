// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

/// What an app may do besides: approve, go to the web, speak for the device, have a passkey.
extension NotesApp {
    /// The profile of the signed-in person, or of the last one.
    private func current() async throws -> Profile {
        do { return try await client.session().profile } catch {
            guard let last = try await client.profiles.last else { throw error }
            return last
        }
    }

    // MARK: What they may do

    func entitlements() async throws {
        let session = try await client.session()
        guard try await session.entitlements() != nil else {
            print("The app does not ask for the scope entitlements.")
            return
        }
        let now = try await session.currentEntitlements()
        if let set = now.set { print("The set \(set)") }
        for (name, value) in now.effective.values.sorted(by: { $0.key < $1.key }) {
            switch value {
            case .flag(let flag): print("\(name)  \(flag ? "yes" : "no")")
            case .amount(let amount): print("\(name)  \(amount)")
            }
        }
        for (name, left) in now.expendable.sorted(by: { $0.key < $1.key }) {
            print("\(name)  \(left) left")
        }
    }

    /// Consumes one. `--id` names a use with an unknown outcome, which is not consumed twice.
    func use(_ name: String, _ options: Options) async throws {
        let id = options["--id"].flatMap { UUID(uuidString: $0) } ?? UUID()
        NotesApp.tell("Use \(id.uuidString)")
        let used = try await client.session().consume(name, idempotencyKey: id)
        print("\(used.remaining) left.")
    }

    // MARK: Approvals

    /// Answers everything that waits; the first time, says that this installation may be asked.
    func approvals() async throws {
        let profile = try await current()
        if try await client.approvals.enrollment(of: profile.id) == nil {
            try await client.approvals.enroll(profile.id)
            print("This installation may be asked now.")
        }
        let waiting = try await client.approvals.pending(for: profile.id)
        if waiting.isEmpty { print("Nothing waits.") }
        for request in waiting { try await answer(request) }
    }

    private func answer(_ request: ApprovalRequest) async throws {
        let flow = client.approvals.handle(request)
        for try await step in flow {
            switch step {
            case .confirm(let challenge):
                NotesApp.tell("\(request.clientName) asks: \(request.message)")
                if !request.transactionText.isEmpty { NotesApp.tell(request.transactionText) }
                NotesApp.tell("Type yes to approve: ")
                readLine() == "yes" ? try challenge.approve() : try challenge.deny()
            case .enterPIN(let challenge): try ask(challenge)
            case .authenticator(let challenge): try challenge.respond(prompt: request.message)
            }
        }
        print(try await flow.outcome == .approved ? "Approved." : "Denied.")
    }

    // MARK: To the web

    /// An address that signs this person in to a browser, once, within a minute.
    func web(_ target: String) async throws {
        guard let url = URL(string: target) else { throw Usage() }
        print(try await client.session().webHandoff(to: url).url.absoluteString)
    }

    // MARK: Without a person

    /// The session of the installation without a person, and the session of its person's key alone.
    func device() async throws {
        let token = try await client.device.session().accessToken()
        print("This device may: \(token.scopes.joined(separator: " ")), until \(token.expiresAt).")
    }

    func implicit(_ scopes: [String]) async throws {
        let token = try await client.implicitSession(scopes: scopes).accessToken()
        print("Unasked: \(token.scopes.joined(separator: " ")), until \(token.expiresAt).")
    }

    // MARK: Passkeys

    func addPasskey() async throws {
        let flow = client.enroll(.passkey, for: try await current().id)
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge): try ask(challenge)
            case .authenticator(let challenge): try challenge.respond(prompt: "Add a passkey")
            }
        }
        print("\(try await flow.outcome.username) has a passkey.")
    }

    func signInWithPasskey() async throws {
        welcome(try await client.signIn(.passkey))
    }

    func removePasskey() async throws {
        try await client.unenroll(.passkey, for: try await current().id)
        print("The passkey signs nobody in any more.")
    }

    // MARK: For good

    func erase() async throws {
        try await client.eraseLocalState()
        print("Nothing is left here.")
    }

    func deleteAccount() async throws {
        let profile = try await current()
        NotesApp.tell("Type \(profile.username) to close the account: ")
        guard readLine() == profile.username else { throw Question.NoAnswer() }
        try await client.deleteAccount(of: profile.id)
        print("The account is closed.")
    }
}
