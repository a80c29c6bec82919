// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting

@main struct FirstApp {
    static func main() async throws {
        let words = CommandLine.arguments
        let configuration = ClientConfiguration(
            issuer: "http://localhost:8080", clientID: "first-app")
        let client = try IdentityClient.onThisMachine(configuration)
        let steps = FirstSteps(client: client) { question in
            print(question, terminator: "")
            guard let line = readLine() else { throw CancellationError() }
            return line
        }

        switch words.dropFirst().first {
        case "register" where words.count == 4:
            let person = try TestKeyCredentialProvider(
                privateKeyPEM: String(contentsOfFile: words[2], encoding: .utf8), keyID: words[3])
            print("Registered: \(try await steps.register(with: person).username)")
        case "browser":
            let browser = LoopbackPresenter { print("Open \($0.absoluteString)") }
            print("Registered: \(try await steps.registerInBrowser(browser).username)")
        case "remove":
            for profile in try await client.profiles { print(try await steps.remove(profile)) }
        case nil: try await welcome(steps)
        default: print("FirstApp [register KEY-FILE KEY-ID | browser | remove]")
        }
    }

    private static func welcome(_ steps: FirstSteps) async throws {
        if let session = try await steps.signInSilently() {
            print("Welcome back, \(session.profile.username).")
        } else if let profile = try await steps.client.profiles.first {
            print("Welcome, \(try await steps.signIn(profile).profile.username).")
        } else {
            print("No person is registered.")
        }
    }
}
