// SPDX-License-Identifier: Apache-2.0
import Primitives
import Support

/// The requests of the provider's pages for passkeys.
extension FormAgent {
    /// Sends JSON as a page of the provider does. Returns the response.
    func post(_ path: String, _ body: JSON) throws -> JSON {
        let answer = try send(
            HTTPRequestText(
                method: "POST", path: path,
                headers: [
                    ("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin"),
                ], body: body.bytes))
        return try JSON(parsing: answer.body)
    }

    /// Adds a passkey to the account of the signed-in person.
    func add(_ passkey: SoftwarePasskey) throws {
        let begun = try post("/webauthn/registration/options", [:])
        guard let answer = try passkey.registration(answering: begun),
            case let done = try post("/webauthn/registration/verify", answer),
            done["location"].string != nil
        else { throw HarnessError("no passkey was added: \(begun.text)") }
    }

    /// - Parameter person: the identifier of the person, `sub`.
    func signIn(with passkey: SoftwarePasskey, of person: String) throws {
        let begun = try post("/webauthn/sign-in/options", [:])
        let done = try post(
            "/webauthn/sign-in/verify", passkey.assertion(answering: begun, of: person))
        guard isSignedIn else { throw HarnessError("not signed in: \(done.text)") }
    }
}

extension SoftwarePasskey {
    private enum AnyPerson {}

    /// The response to the options of a registration; `nil` if they were refused.
    func registration(answering options: JSON) throws -> JSON? {
        guard let ceremony = options["ceremony"].string else { return nil }
        return [
            "ceremony": .string(ceremony),
            "credential": try JSON(parsing: Array(registration(challenge: ceremony).utf8)),
        ]
    }

    /// The response to the options of a sign-in.
    ///
    /// - Parameter person: the identifier of the person, `sub`.
    func assertion(answering options: JSON, of person: String) throws -> JSON {
        let ceremony = options["ceremony"].string ?? ""
        let handle = Identifier<AnyPerson>(person)?.bytes ?? []
        let signed = try assertion(challenge: ceremony, userHandle: handle)
        return [
            "ceremony": .string(ceremony), "credential": try JSON(parsing: Array(signed.utf8)),
        ]
    }
}
