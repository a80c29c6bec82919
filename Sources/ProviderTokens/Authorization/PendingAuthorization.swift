// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Storage

/// The data of an authorization request during an interaction: the parameters that the rules read,
/// so that every rule is applied again when it resumes, and the decisions of the person so far. The
/// browser carries it, sealed (``PendingAuthorization/handle(in:of:)``).
struct PendingAuthorization: Sendable, Equatable {
    /// Random. Identifies the request in all its states; the response consumes it.
    let id: [UInt8]
    /// Without `id_token_hint`: ``hintedSubject`` is its value.
    let parameters: AuthorizationParameters
    let startedAt: Timestamp
    /// The `sub` of a valid `id_token_hint` of the request.
    let hintedSubject: String?
    /// The person who consented, if `prompt=consent` required it.
    var consentedBy: Identifier<Person>?
    /// The person who continued without the key that the client prefers.
    var wentOnWithoutKey: Identifier<Person>?
    /// The person who chose their current account, if `prompt=select_account` required it.
    var chosenBy: Identifier<Person>?
    /// The person who last received a refusal of the client policy.
    var refusedTo: Identifier<Person>?
    /// The ID of the request whose log line and audit event contain that refusal.
    var refusedIn: String?

    /// The time for all interactions. A person may have to fetch their security key.
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

    /// Returns `nil` if the bytes are not from ``payload``.
    init?(payload: [UInt8]) {
        let object = try? JSONParser.parseObject(
            payload, maximumBytes: Interaction.maximumHandleLength, maximumDepth: 4)
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

    /// The number of bytes of the parameters in ``payload``.
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
