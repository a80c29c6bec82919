// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Synchronization
import Testing

extension EndToEnd {
    /// The tutorial, step by step: its state file, its commands and its app (`FirstSteps.swift` in
    /// this directory is the app's own) against the built provider, with its files on the disk.
    @Suite("The tutorial's app")
    struct FirstAppStory {
        private static let stateFile = Repository.root.appending(
            path: "Examples/FirstApp/app.yaml")

        /// A provider that has been told about the app, a test key, and a folder for the app.
        private struct House {
            let server: ServerProcess
            let folder: TemporaryDirectory
            let person: TestKeyCredentialProvider

            init(_ name: String) async throws {
                server = try await ServerProcess(name)
                try await server.apply(String(contentsOf: FirstAppStory.stateFile, encoding: .utf8))
                folder = try TemporaryDirectory()
                let keyFile = folder.file("test-key.pem").path()
                let made = try await Command.gatehouse(
                    "admin", "test-keys", "create", "--name", "me", "--owner", "me",
                    "--key-file", keyFile, "--data-dir", server.dataDirectory)
                let keyID = made.errors.split(separator: "\n")
                    .first { $0.hasPrefix("key id: ") }.map { String($0.dropFirst(8)) }
                person = try TestKeyCredentialProvider(
                    privateKeyPEM: String(contentsOfFile: keyFile, encoding: .utf8),
                    keyID: try #require(keyID, "\(made.errors)"))
            }

            /// The app as it is when it has just been started.
            func start(_ typed: String = "") throws -> FirstSteps {
                let client = try IdentityClient.onThisMachine(
                    ClientConfiguration(issuer: server.issuer, clientID: "first-app"),
                    directory: folder.file("app").path(), sealedWith: .besideRecords)
                return FirstSteps(client: client) { _ in
                    if typed.isEmpty { throw CancellationError() }
                    return typed
                }
            }
        }

        @Test("a test key registers a person; they return silently, then by PIN, and are removed")
        func testKey() async throws {
            let house = try await House("first-app")
            let profile = try await house.start("24681").register(with: house.person)
            #expect(profile.hasPIN)
            #expect(try await house.start().signInSilently()?.profile.id == profile.id)
            try await house.start().client.signOut(profile.id)
            #expect(try await house.start().signInSilently() == nil)
            let session = try await house.start("24681").signIn(profile)
            #expect(try await session.accessToken().isBoundToKey)
            #expect(
                try await house.start().remove(profile) == "\(profile.username) is removed.")
            #expect(try await house.start().client.profiles.isEmpty)
            try await house.server.stop()
        }

        @Test(
            "a person signs in on the provider's page, chooses a PIN, signs in with it, and is removed",
            .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"),
            .timeLimit(.minutes(5)))
        func browser() async throws {
            let house = try await House("first-app-browser")
            let page = try await WebDriver()
            let failure = Mutex<(any Error)?>(nil)
            let presenter = LoopbackPresenter { url in
                do {
                    try await page.open(url.absoluteString)
                    try await page.type("anna", into: "[name=username]")
                    try await page.type("correct horse battery staple", into: "[name=password]")
                    try await page.click("[data-action=sign-in]")
                    try await page.arrives(at: "127.0.0.1")
                } catch { failure.withLock { $0 = error } }
            }
            do {
                let anna = try await house.start("24681").registerInBrowser(presenter)
                #expect(anna.username == "anna" && anna.hasPIN)
                try await house.start().client.signOut(anna.id)
                #expect(try await house.start("24681").signIn(anna).profile.id == anna.id)
                #expect(try await house.start().remove(anna) == "anna is removed.")
            } catch {
                await page.quit()
                throw failure.withLock { $0 } ?? error
            }
            await page.quit()
            try await house.server.stop()
        }
    }
}
