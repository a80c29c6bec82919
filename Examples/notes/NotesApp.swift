// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation
import GatehouseClient
import GatehousePasskeys

/// Notes of the signed-in person.
@main struct NotesApp {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        let environment = ProcessInfo.processInfo.environment
        do {
            if words.first == "service" {
                try await NotesService.run(words.dropFirst(), environment)
            } else {
                try await NotesApp(environment).run(words)
            }
        } catch let error as IdentityError {
            // Errors for developers belong into a log; a terminal is both.
            tell(error.audience == .user ? error.reason : error.description)
            exit(1)
        } catch {
            tell("\(error)")
            exit(error is Usage ? 2 : 1)
        }
    }

    struct Usage: Error, CustomStringConvertible {
        let description = """
            usage: notes register [--id UUID] [--with PROVIDER | --test-key FILE --key-id KID |
                       --person NAME --issuer URL --issuer-key FILE --key-id KID]
                   notes sign-in [PROFILE] · sign-in --passkey
                   notes add TEXT · list · people · token
                   notes entitlements · use NAME [--id UUID]
                   notes approvals · web ADDRESS · device · implicit SCOPE…
                   notes passkey add · passkey remove · change-pin
                   notes sign-out [--everywhere | --here] · remove [PROFILE]
                   notes delete-account · erase
                   notes service --directory DIRECTORY [--listen HOST:PORT] [--address URL]
            """
    }

    let client: IdentityClient
    /// Where the notes are.
    let service: String

    private init(_ environment: [String: String]) throws {
        let configuration = ClientConfiguration(
            issuer: environment["NOTES_ISSUER"] ?? "http://localhost:8080",
            clientID: environment["NOTES_CLIENT_ID"] ?? "notes",
            scopes: ClientConfiguration.usualScopes + [Self.scope]
                + (environment["NOTES_SCOPES"]?.split(separator: " ").map(String.init) ?? []),
            installationName: "Notes at a terminal")
        let directory = environment["NOTES_DIRECTORY"]
            .map { URL(filePath: $0).path(percentEncoded: false) }
        client = try IdentityClient.onThisMachine(
            configuration, directory: directory,
            passkeys: SystemPasskeys { ASPresentationAnchor() })
        service = environment["NOTES_SERVICE"] ?? "http://127.0.0.1:9320"
    }

    private func run(_ words: [String]) async throws {
        switch (words.first, words.dropFirst().first) {
        case ("register", _): try await register(Options(words.dropFirst()))
        case ("sign-in", "--passkey"): try await signInWithPasskey()
        case ("sign-in", let profile):
            try await signIn(profile.map { Profile.ID(rawValue: $0) })
        case ("add", let text?): try await add(text)
        case ("list", nil): try await list()
        case ("people", nil): try await people()
        case ("token", nil): print(try await client.session().accessToken().reveal())
        case ("change-pin", nil): try await changePIN()
        case ("sign-out", nil): try await signOut(.thisDevice)
        case ("sign-out", "--everywhere"): try await signOut(.everywhere)
        case ("sign-out", "--here"): try await signOut(.localOnly)
        case ("remove", let profile): try await remove(profile.map { Profile.ID(rawValue: $0) })
        case ("erase", nil): try await erase()
        default: try await further(words)
        }
    }

    private func further(_ words: [String]) async throws {
        switch (words.first, words.dropFirst().first) {
        case ("entitlements", nil): try await entitlements()
        case ("use", let name?): try await use(name, Options(words.dropFirst(2)))
        case ("approvals", nil): try await approvals()
        case ("web", let address?): try await web(address)
        case ("device", nil): try await device()
        case ("implicit", _?): try await implicit(Array(words.dropFirst()))
        case ("passkey", "add"): try await addPasskey()
        case ("passkey", "remove"): try await removePasskey()
        case ("delete-account", nil): try await deleteAccount()
        default: throw Usage()
        }
    }

    static func tell(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}

/// Words that begin with two dashes, and what follows each.
struct Options {
    private var values: [String: String] = [:]

    init(_ words: some Sequence<String>) {
        var name: String?
        for word in words {
            if word.hasPrefix("--") {
                name = word
            } else if let known = name {
                values[known] = word
                name = nil
            }
        }
    }

    subscript(_ name: String) -> String? { values[name] }
}
