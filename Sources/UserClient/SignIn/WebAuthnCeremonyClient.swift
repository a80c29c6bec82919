// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// A client of the provider's WebAuthn ceremonies, for a security key without a browser.
///
/// Each ceremony fetches options, obtains a response to them, and sends it. The caller supplies the
/// closure that creates the response.
package struct WebAuthnCeremonyClient: Sendable {
    /// A closure that responds to options (`publicKey` of WebAuthn section 5.1) for an origin with
    /// a `RegistrationResponseJSON` or an `AuthenticationResponseJSON`.
    package typealias Responder =
        @Sendable (_ options: JSONValue, _ origin: String) async throws -> JSONValue

    let issuer: String
    let visitor: CookieUserAgent
    private let answer: Responder

    package init(issuer: String, visitor: CookieUserAgent, answer: @escaping Responder) {
        self.issuer = issuer
        self.visitor = visitor
        self.answer = answer
    }

    /// Signs a person in; returns where the provider sends them.
    ///
    /// - Parameter continuation: the authorization that waits for it.
    @discardableResult
    package func signIn(continuing continuation: String? = nil) async throws -> String {
        try await run("sign-in", asking: .object(JSONObject()), continuing: continuation).location
    }

    /// Creates an account whose first credential is the key.
    package func registerPerson(username: String, name: String, email: String) async throws {
        try await run(
            "registration",
            asking: [
                "username": .string(username), "name": .string(name), "email": .string(email),
            ])
    }

    /// Registers a further key for the signed-in person.
    package func addKey() async throws {
        try await run("registration", asking: .object(JSONObject()))
    }

    /// Signs in with a key, and removes the same key from the account.
    package func removeKey() async throws {
        guard let id = try await run("sign-in", asking: .object(JSONObject())).keyID else {
            throw UserClientError.invalidAnswer("the key does not state its id")
        }
        _ = try await visitor.post(
            json: ["credential": .string(id)], to: "\(issuer)/webauthn/unregister")
    }

    /// - Returns: The URL to which the provider redirects the person, and the id of the used
    ///   credential.
    @discardableResult
    private func run(
        _ kind: String, asking: JSONValue, continuing continuation: String? = nil
    ) async throws -> (location: String, keyID: String?) {
        let place = "\(issuer)/webauthn/\(kind)"
        let asked = try await visitor.post(json: asking, to: "\(place)/options")
        guard let ceremony = asked["ceremony"]?.string, let options = asked["publicKey"] else {
            throw UserClientError.invalidAnswer("\(place)/options has no options")
        }
        var message = JSONObject()
        message["ceremony"] = .string(ceremony)
        let credential = try await answer(options, visitor.origin)
        message["credential"] = credential
        message["continue"] = continuation.map { .string($0) }
        let answer = try await visitor.post(json: .object(message), to: "\(place)/verify")
        guard let location = answer["location"]?.string else {
            throw UserClientError.invalidAnswer("\(place)/verify does not contain the next step")
        }
        return (location, credential["id"]?.string)
    }

    /// Signs a person in with a password, through the provider's own form.
    package func signIn(username: String, password: Secret) async throws {
        let address = "\(issuer)/sign-in"
        let page = try await visitor.get(address)
        guard page.status == 200, let token = HiddenField.value(of: "form_token", in: page.body)
        else { throw UserClientError.invalidAnswer("\(address) has no form") }
        let answer = try await visitor.post(
            form: [
                ("form_token", token), ("username", username),
                ("password", password.revealText()),
            ], to: address)
        // The provider responds to an initial password with the page that replaces it.
        guard answer.status != 200 else {
            throw UserClientError.refused(
                code: "password_change_needed",
                description: "a first password; sign in at \(address) and choose another one")
        }
        guard (300..<400).contains(answer.status) else {
            throw UserClientError.refused(
                code: answer.status == 429 ? "too_many_attempts" : "invalid_credentials",
                description: answer.status == 429
                    ? "too many attempts; wait a while" : "the name or the password is wrong")
        }
    }
}
