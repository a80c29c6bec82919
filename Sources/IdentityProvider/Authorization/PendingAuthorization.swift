// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Storage

/// What is remembered of an authorization request while a person is asked: the parameters that the
/// rules read, so that every rule is applied again when it goes on, and what the person has done so
/// far. The browser carries it, sealed (``PendingAuthorization/handle(in:of:)``).
struct PendingAuthorization: Sendable, Equatable {
    /// The same from the first question to the answer; a completed request is marked by it.
    let id: [UInt8]
    /// Without `id_token_hint`: ``hintedSubject`` is what it says.
    let parameters: AuthorizationParameters
    let startedAt: Timestamp
    /// The `sub` of the genuine `id_token_hint` that came with the request.
    let hintedSubject: String?
    /// Who allowed it, when `prompt=consent` asked anew.
    var consentedBy: Identifier<Person>?
    /// Who went on without the key that the client would have liked to see.
    var wentOnWithoutKey: Identifier<Person>?
    /// Who chose to go on as themselves, when `prompt=select_account` asked.
    var chosenBy: Identifier<Person>?
    /// Who was told last that they may not use the client.
    var refusedTo: Identifier<Person>?
    /// The id of the request in whose log line and audit event that refusal is.
    var refusedIn: String?

    /// A person may need this long to find their security key.
    static let lifetime = TimeSpan.minutes(30)
    static let idLength = 16

    /// - Parameter id: random.
    init(
        id: [UInt8], parameters: AuthorizationParameters, startedAt: Timestamp,
        hintedSubject: String?
    ) {
        self.id = id
        self.parameters = parameters.filter { $0.key != .idTokenHint }
        self.startedAt = startedAt
        self.hintedSubject = hintedSubject
    }

    /// `nil` for what ``payload`` did not make.
    init?(payload: [UInt8]) {
        let object = try? JSONParser.parseObject(
            payload, maximumBytes: Interaction.longestHandle, maximumDepth: 4)
        guard let object, let id = object["id"]?.string.flatMap({ Base64URL.decode($0) }),
            let started = object["started_at"]?.integer,
            let members = object["parameters"]?.object
        else { return nil }
        self.id = id
        parameters = AuthorizationParameter.allCases.reduce(into: [:]) { read, name in
            read[name] = members[name.rawValue]?.string
        }
        startedAt = Timestamp(milliseconds: started)
        hintedSubject = object["hinted"]?.string
        func person(_ name: String) -> Identifier<Person>? {
            object[name]?.string.flatMap { Identifier($0) }
        }
        consentedBy = person("consented_by")
        chosenBy = person("chosen_by")
        wentOnWithoutKey = person("without_key")
        refusedTo = person("refused_to")
        refusedIn = object["refused_in"]?.string
    }

    var payload: [UInt8] {
        var writer = JSONWriter()
        writer.member("id", Base64URL.encode(id))
        writer.member("started_at", startedAt.milliseconds)
        writer.member("parameters", .object(Self.object(parameters)))
        writer.member("hinted", ifPresent: hintedSubject)
        writer.member("chosen_by", ifPresent: chosenBy?.description)
        writer.member("consented_by", ifPresent: consentedBy?.description)
        writer.member("without_key", ifPresent: wentOnWithoutKey?.description)
        writer.member("refused_to", ifPresent: refusedTo?.description)
        writer.member("refused_in", ifPresent: refusedIn)
        return writer.finish()
    }

    /// How many bytes ``payload`` holds for the parameters.
    static func length(of parameters: AuthorizationParameters) -> Int {
        object(parameters.filter { $0.key != .idTokenHint }).bytes.count
    }

    private static func object(_ parameters: AuthorizationParameters) -> JSONObject {
        JSONObject(
            parameters.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                JSONObject.Member(name: $0.key.rawValue, value: .string($0.value))
            })
    }
}
