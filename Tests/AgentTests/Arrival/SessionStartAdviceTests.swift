import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Primitives
import Testing

@Suite struct SessionStartAdviceTests {
    /// What the agent says of a machine and of `anna` on it.
    private func status(
        _ person: [String: JSONValue], device: JSONValue = ["owner": "*", "phase": "registered"],
        method: String = "Password", isConfigured: Bool = true
    ) throws -> AgentStatus {
        var one: [String: JSONValue] = ["account": "anna", "standing": "signed_out", "places": []]
        one.merge(person) { $1 }
        var members: [String: JSONValue] = [
            "now": "2026-11-22T12:00:00Z", "method": .string(method), "key_store": "file",
            "devices": .array([device]), "people": .array([object(one)]), "problems": [],
        ]
        if isConfigured { members["extension"] = "org.gatehouse.sso" }
        return try #require(AgentStatus(object(members)))
    }

    private func object(_ members: [String: JSONValue]) -> JSONValue {
        .object(JSONObject(members.sorted { $0.key < $1.key }.map { .init(name: $0, value: $1) }))
    }

    private func wish(_ status: AgentStatus) -> SessionStartAdvice.RequestKind? {
        SessionStartAdvice(status, account: "anna")?.wish
    }

    @Test("A person without a valid registration is prompted to register")
    func registering() throws {
        #expect(try wish(status(["phase": "waiting"])) == .register)
        #expect(try wish(status(["phase": "waiting", "repair": true])) == .repair)
    }

    @Test(
        "Before the machine is registered people are asked only where one of them has to begin",
        arguments: [
            ("waiting", SessionStartAdvice.RequestKind?.some(.register)), ("registering", nil),
            ("retrying", nil), ("refused", nil),
        ])
    func device(phase: String, wanted: SessionStartAdvice.RequestKind?) throws {
        let device: JSONValue = ["owner": "*", "phase": .string(phase)]
        #expect(try wish(status(["phase": "waiting-for-device"], device: device)) == wanted)
    }

    @Test("A device that waits for another person does not prompt this one")
    func others() throws {
        let device: JSONValue = ["owner": "+bea", "phase": "waiting"]
        #expect(DeviceOwner("+bea") == .person("bea"))
        #expect(try wish(status(["phase": "waiting-for-device"], device: device)) == nil)
    }

    @Test(
        "Actions that the agent does automatically, or has stopped, cause no prompt",
        arguments: ["registering", "retrying", "refused"])
    func underWay(phase: String) throws {
        #expect(try wish(status(["phase": .string(phase)])) == nil)
    }

    @Test("The first sign-in prompts for a password; a key needs no prompt")
    func firstSignIn() throws {
        let person: [String: JSONValue] = ["phase": "signing-in", "key_id": "a"]
        #expect(try wish(status(person)) == .signIn)
        let method = "UserSecureEnclaveKey"
        #expect(try wish(status(person, method: method)) == nil)
        for guarded: [String: JSONValue] in [["pin_tries": 8], ["security_key": true]] {
            let all = person.merging(guarded) { $1 }
            #expect(try wish(status(all, method: method)) == .signIn, "\(guarded)")
        }
    }

    @Test("A signed-out person is prompted to sign in, unless the provider is unreachable")
    func signedOut() throws {
        #expect(try wish(status(["phase": "registered", "next": "sign_in"])) == .signIn)
        let grace: [String: JSONValue] = [
            "phase": "registered", "next": "sign_in", "standing": "grace",
            "next_at": "2026-11-22T12:05:00Z",
        ]
        #expect(try wish(status(grace)) == nil)
        #expect(try wish(status(["phase": "registered", "next": "renew"])) == nil)
    }

    @Test("Two hours before a sign-in ends, and not earlier, people hear of it")
    func expiring() throws {
        var person: [String: JSONValue] = [
            "phase": "registered", "next": "sign_in", "standing": "signed_in",
            "next_at": "2026-11-22T14:00:00Z",
        ]
        let advice = try SessionStartAdvice(status(person), account: "anna")
        #expect(advice?.wish == .renew)
        #expect(advice?.until == Timestamp(rfc3339: "2026-11-22T14:00:00Z"))
        person["next_at"] = "2026-11-22T14:00:01Z"
        #expect(try wish(status(person)) == nil)
        person["next_at"] = "2026-11-22T13:00:00Z"
        person["next"] = "renew"
        #expect(try wish(status(person)) == nil)
    }

    @Test("A sign-in that is short is not announced all the time: in its last quarter")
    func short() throws {
        var person: [String: JSONValue] = [
            "phase": "registered", "next": "sign_in", "standing": "signed_in",
            "full_login_at": "2026-11-22T11:29:00Z", "next_at": "2026-11-22T13:29:00Z",
        ]
        #expect(try wish(status(person)) == nil)
        person["full_login_at"] = "2026-11-22T10:30:00Z"
        person["next_at"] = "2026-11-22T12:30:00Z"
        #expect(try wish(status(person)) == .renew)
    }

    @Test("There is no request without a profile, or to people unknown to the agent")
    func nobody() throws {
        #expect(try wish(status(["phase": "waiting"], isConfigured: false)) == nil)
        #expect(try SessionStartAdvice(status(["phase": "waiting"]), account: "bea") == nil)
    }
}
