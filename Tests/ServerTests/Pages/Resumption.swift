// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Testing

extension Browser {
    static let resumed = "/sign-in?next=resume&again=1"

    /// Sends a form and is told to sign in first.
    mutating func interrupted(_ path: String, _ fields: [String: String] = [:]) async throws {
        #expect(try await submit(path, fields).location == Self.resumed, "\(path)")
    }

    /// Signs in as a form has asked. What comes after it.
    mutating func signInAgain(
        _ name: String, password: String = "correct horse battery staple"
    ) async throws -> Answer {
        _ = try await get(Self.resumed)
        let signedIn = try await submit(
            "/sign-in", ["username": name, "password": password, "next": "resume"])
        #expect(signedIn.location == "/resume")
        return try await get("/resume")
    }

    /// Does what the script or the button of that page does: sends its form.
    mutating func sendOn(_ page: Answer) async throws -> Answer {
        let form = try Resumption(page)
        return try await submit(form.action, form.fields)
    }
}

/// The page that sends a form once more.
struct Resumption {
    let action: String
    let fields: [String: String]
    let sendsItself: Bool

    init(_ page: Answer) throws {
        #expect(page.status == .ok && page.text.contains("data-action=\"resume\""))
        sendsItself = page.text.contains("<script src=\"/assets/form-post.js")
        let form = try #require(page.text.firstMatch(of: /<form method="post" action="([^"]*)"/))
        let address = String(form.output.1)
        action = Self.plain(address)
        fields = try UntouchedForm.fields(to: address, in: page.text).mapValues(Self.plain)
    }

    private static func plain(_ text: String) -> String {
        [
            "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&#x27;": "'", "&#x3D;": "=",
            "&#61;": "=", "&#x2F;": "/", "&#x60;": "`",
        ].reduce(text) { $0.replacing($1.key, with: $1.value) }.replacing("&amp;", with: "&")
    }
}
