// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

/// A page of an origin with Chromium behind it, as a relying party sees it: options go in, what
/// `toJSON()` says comes out.
struct WebAuthnPage {
    /// What the page threw instead of answering.
    struct Thrown: Error, CustomStringConvertible {
        /// The name of the DOMException, such as `NotAllowedError`.
        let name: String
        let message: String
        var description: String { "\(name): \(message)" }
    }

    let browser: WebDriver

    func get(_ options: RequestOptions) async throws -> UnverifiedAssertion {
        try UnverifiedAssertion(json: Array(try await got(options.json).utf8))
    }

    /// `RegistrationResponseJSON`, as text.
    func created(_ options: JSONValue) async throws -> String {
        try await answer(
            """
            const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(\(options.text));
            return (await navigator.credentials.create({ publicKey })).toJSON();
            """)
    }

    /// The same as what a click does, which frames of other sites need.
    func created(_ options: JSONValue, byClickOn button: String) async throws -> String {
        try await browser.run(
            """
            const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(\(options.text));
            document.querySelector('\(button)').onclick = () => {
                window.made = navigator.credentials.create({ publicKey });
                window.made.catch(() => {});
            };
            """)
        try await browser.click(button)
        return try await answer("return (await window.made).toJSON();")
    }

    /// `AuthenticationResponseJSON`, as text.
    func got(_ options: JSONValue) async throws -> String {
        try await answer(
            """
            const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(\(options.text));
            return (await navigator.credentials.get({ publicKey })).toJSON();
            """)
    }

    /// Runs the body of an async function in the page; gives the JSON text of what it returns.
    func answer(_ body: String) async throws -> String {
        let outcome = try await browser.run(
            """
            return (async () => { \(body) })().then(
                (value) => JSON.stringify({ value }),
                (error) => JSON.stringify({ name: error.name, message: error.message }));
            """)
        let json = try JSON(parsing: Array((outcome.string ?? "{}").utf8))
        if let name = json["name"].string {
            throw Thrown(name: name, message: json["message"].string ?? "")
        }
        return json["value"].text
    }
}
