// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Storage

/// What is remembered of an authorization request while a person is asked: the parameters as they
/// came, so that every rule is applied again when it goes on, and what the person has done so far.
/// It is kept in the store; the browser holds only its handle.
struct PendingAuthorization: Sendable, Equatable {
    var parameters: [String: String]
    var startedAt: Timestamp
    /// Who allowed it, when `prompt=consent` asked anew.
    var consentedBy: Identifier<Person>?
    /// Who went on without the key that the client would have liked to see.
    var wentOnWithoutKey: Identifier<Person>?

    /// Who chose to go on as themselves, when `prompt=select_account` asked.
    var chosenBy: Identifier<Person>?

    /// A person may need this long to find their security key.
    static let lifetime = TimeSpan.minutes(30)

    init(parameters: [String: String], startedAt: Timestamp) {
        self.parameters = parameters
        self.startedAt = startedAt
    }

    init?(payload: String) {
        let object = try? JSONParser.parseObject(
            Array(payload.utf8), maximumBytes: 262_144, maximumDepth: 4)
        guard let object, let started = object["started_at"]?.integer,
            let members = object["parameters"]?.object
        else { return nil }
        parameters = [:]
        for member in members.members {
            guard let value = member.value.string else { return nil }
            parameters[member.name] = value
        }
        startedAt = Timestamp(milliseconds: started)
        consentedBy = object["consented_by"]?.string.flatMap { Identifier($0) }
        chosenBy = object["chosen_by"]?.string.flatMap { Identifier($0) }
        wentOnWithoutKey = object["without_key"]?.string.flatMap { Identifier($0) }
    }

    var payload: String {
        var writer = JSONWriter()
        writer.member("started_at", startedAt.milliseconds)
        writer.member(
            "parameters",
            .object(
                JSONObject(
                    parameters.sorted { $0.key < $1.key }.map {
                        JSONObject.Member(name: $0.key, value: .string($0.value))
                    })))
        writer.member("chosen_by", ifPresent: chosenBy?.description)
        writer.member("consented_by", ifPresent: consentedBy?.description)
        writer.member("without_key", ifPresent: wentOnWithoutKey?.description)
        return String(decoding: writer.finish(), as: UTF8.self)
    }
}
