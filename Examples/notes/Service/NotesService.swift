// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

/// `notes service`: stores the notes of all people, each for the person of the token.
///
/// The other half of an app, as it would run at its operator's. It knows no person and no password,
/// only a token, and asks the provider about it.
struct NotesService: Sendable {
    private let tokens: TokenCheck
    private let proofs: ProofCheck
    private let shelf: NoteShelf
    private let address: String

    /// - Parameter words: `--listen HOST:PORT`, `--directory DIRECTORY`, and `--address` where the
    ///   app calls it by another name.
    static func run(_ words: ArraySlice<String>, _ environment: [String: String]) async throws {
        let options = Options(words)
        let place = (options["--listen"] ?? "127.0.0.1:9320").split(separator: ":")
        guard place.count == 2, let port = Int(place[1]), let directory = options["--directory"],
            let secret = environment["NOTES_SERVICE_SECRET"]
        else { throw NotesApp.Usage() }
        let service = NotesService(
            tokens: TokenCheck(
                issuer: environment["NOTES_ISSUER"] ?? "http://localhost:8080",
                clientID: NotesApp.audience, secret: secret, transport: try NetworkTransport()),
            proofs: ProofCheck(), shelf: NoteShelf(directory: directory),
            address: options["--address"] ?? "http://\(place[0]):\(port)")
        try await HTTPListener.run(
            host: String(place[0]), port: port,
            ready: { NotesApp.tell("Notes are kept at \(service.address)") },
            answer: { await service.answer($0) })
    }

    private func answer(_ request: HTTPListener.Request) async -> HTTPListener.Answer {
        do {
            let person = try await person(asking: request)
            return try notes(of: person, request)
        } catch let refusal as Refusal {
            NotesApp.tell("\(request.method) \(request.target): \(refusal)")
            return refusal.answer
        } catch {
            // The provider is unavailable, or the disk is full: access is refused.
            NotesApp.tell("\(request.method) \(request.target): \(error)")
            return .init(status: 503)
        }
    }

    /// Returns the person of the token: issued by the provider, for this service, for notes, and
    /// sent by the holder of its key.
    private func person(asking request: HTTPListener.Request) async throws -> String {
        let words = (request.headers["authorization"] ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "dpop" else { throw Refusal.noToken }
        let token = String(words[1])
        let told = try await tokens.claims(of: token)
        guard let key = told.cnf?.jkt, let proof = request.headers["dpop"] else {
            throw Refusal.proof("there is none")
        }
        try proofs.check(
            proof, of: key, token: token, method: request.method, url: address + request.path)
        guard told.scopes.contains(Substring(NotesApp.scope)) else { throw Refusal.scope }
        return told.sub
    }

    private func notes(
        of person: String, _ request: HTTPListener.Request
    ) throws -> HTTPListener.Answer {
        switch (request.method, request.path) {
        case ("GET", "/notes"):
            return .init(status: 200, body: try JSONEncoder().encode(shelf.lines(of: person)))
        case ("POST", "/notes"):
            guard let new = try? JSONDecoder().decode([String].self, from: Data(request.body))
            else { return .init(status: 400) }
            try shelf.add(new, of: person)
            return .init(status: 201)
        case (_, "/notes"): return .init(status: 405)
        default: return .init(status: 404)
        }
    }
}

/// The reason why access is refused (RFC 6750 section 3.1, RFC 9449 section 7.1).
enum Refusal: Error, CustomStringConvertible {
    /// None, or a bearer token, of which a copy could be used.
    case noToken
    case token(String)
    case proof(String)
    case scope

    var description: String {
        switch self {
        case .noToken: "no token with a key"
        case .token(let reason): "the token: \(reason)"
        case .proof(let reason): "the proof: \(reason)"
        case .scope: "the token is not for notes"
        }
    }

    var answer: HTTPListener.Answer {
        let (status, error) =
            switch self {
            case .noToken: (401, "")
            case .token: (401, #" error="invalid_token","#)
            case .proof: (401, #" error="invalid_dpop_proof","#)
            case .scope: (403, #" error="insufficient_scope","#)
            }
        return .init(
            status: status, headers: [("www-authenticate", #"DPoP\#(error) algs="ES256""#)])
    }
}
