// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives

/// An account of this machine is one person at its provider (OpenID Connect Core section 12.2): whom it
/// named at their first sign-in, until they are unregistered.
///
/// Refreshed or signed in anew, with whatever proof, an answer for somebody else is refused. Names do not
/// decide: providers give them to others when people leave.
extension Agent {
    /// The first answer says who they are; each later one has to be theirs.
    func adopt(_ login: VerifiedLogin, of person: String) throws(ProviderError) {
        guard let found = login.identity else {
            throw .notTrusted("the ID token does not identify a person")
        }
        guard record.people[person]?.identity?.isSame(as: found) ?? true else {
            throw .anotherPerson
        }
        if record.people[person]?.identity == nil { record.people[person]?.identity = found }
        record.people[person]?.strangerAt = nil
    }

    /// After a failure that is not the person's: whoever is signed in stays so, and the provider is asked
    /// again later. That it answered for somebody else is kept for the status.
    func postpone(_ person: String, _ error: ProviderError) async {
        let time = now
        failures[person] = time
        guard case .anotherPerson = error else { return }
        record.people[person]?.strangerAt = time
        try? await keep()
    }

    /// Another provider knows nobody of the one before, and gets none of its tokens.
    ///
    /// - Parameter before: Whose the machine was. Of people whom it has not named yet, nothing else says whose
    ///   their tokens are; where that is not known either, they are nobody's.
    func leaveOthers(than issuer: String, of owner: DeviceOwner, before: String?) {
        if let before, !before.hasSameBytes(as: issuer) { end(.device(owner)) }
        for person in record.people.keys where record.machine.plan?.owner(of: person) == owner {
            let known = record.people[person]?.identity?.issuer ?? before
            if known?.hasSameBytes(as: issuer) != true { forgetIdentity(of: person) }
        }
    }

    /// Whoever registers under another name may be somebody else. Outside of a registration a name alone
    /// makes nobody another person.
    func nameAnew(_ person: String, _ name: String?, attempt: UInt64) {
        guard case .registering(let call)? = record.machine.people[person]?.phase,
            call.number == attempt, let before = record.people[person]?.loginUserName,
            before != name
        else { return }
        forgetIdentity(of: person)
    }

    private func forgetIdentity(of person: String) {
        end(.person(person))
        record.people[person]?.identity = nil
        record.people[person]?.strangerAt = nil
        record.people[person]?.session = nil
        record.people[person]?.tokens = nil
        record.people[person]?.kept = []
        lent[person] = nil
    }
}

extension LoginIdentity {
    var json: JSONValue {
        var object = JSONObject([.init(name: "iss", value: .string(issuer))])
        object["sub"] = subject.map(JSONValue.string)
        object["claim"] = .string(claim)
        object["identifier"] = identifier.map(JSONValue.string)
        return .object(object)
    }

    init?(_ value: JSONValue) {
        guard let issuer = value["iss"]?.string, let claim = value["claim"]?.string else {
            return nil
        }
        self.init(
            issuer: issuer, subject: value["sub"]?.string, claim: claim,
            identifier: value["identifier"]?.string)
    }
}
