// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A request of a device to the server.
enum PINRequest: Sendable, Equatable {
    /// A request for a secret: the first one, within a registration, without a proof; or the next
    /// one, to change the PIN, with a proof of the current one.
    case offer(PINTransportPublicKey, proof: PINSentProof?)
    /// A sign-in with the PIN. In version 2 it also activates an offered secret.
    case signIn(PINSentProof)
    /// The statement that the offered secret is sealed; it becomes the active one.
    case commit(PINSentProof)
    /// A request for the active version. It withdraws the offered secret unless that is active.
    case resolve(version: UInt32)

    var kind: PINMessageType.Kind {
        switch self {
        case .offer: .offer
        case .signIn: .signIn
        case .commit: .commit
        case .resolve: .resolve
        }
    }

    /// The proof, if the request has one.
    var proof: PINSentProof? {
        switch self {
        case .offer(_, let proof): proof
        case .signIn(let proof), .commit(let proof): proof
        case .resolve: nil
        }
    }

    /// Returns the signed JSON. `aud` is the issuer, `jti` the nonce.
    func payload(issuer: String, nonce: PINNonce) -> [UInt8] {
        var writer = JSONWriter()
        writer.member("aud", issuer)
        writer.member("jti", nonce.text)
        switch self {
        case .offer(let key, let proof):
            writer.member("transport_key", Base64URL.encode(key.bytes))
            if let proof { Self.write(proof, to: &writer) }
        case .signIn(let proof), .commit(let proof): Self.write(proof, to: &writer)
        case .resolve(let version): writer.member("ver", Int64(version))
        }
        return writer.finish()
    }

    private static func write(_ proof: PINSentProof, to writer: inout JSONWriter) {
        writer.member("ver", Int64(proof.version))
        switch proof.content {
        case .plain(let tag): writer.member("proof", Base64URL.encode(tag))
        case .sealed(let sealed):
            writer.member("proof_key", Base64URL.encode(sealed.keyID))
            writer.member("enc", Base64URL.encode(sealed.box.encapsulatedKey))
            writer.member("ct", Base64URL.encode(sealed.box.ciphertext))
        }
    }

    /// The fields of an unverified request that are needed to look it up and to verify it.
    struct Head {
        let issuer: String
        let nonce: PINNonce
    }

    /// Parses a payload of that type, strictly.
    static func read(_ type: PINMessageType, _ payload: [UInt8]) -> (Head, PINRequest)? {
        let (required, optional) = members(of: type)
        guard !required.isEmpty,
            let members = PINMembers(
                payload, required: ["aud", "jti"] + required, allOrNone: optional),
            let issuer = members.text("aud"), let nonce = members.nonce("jti"),
            let request = read(type, members)
        else { return nil }
        return (Head(issuer: issuer, nonce: nonce), request)
    }

    private static func members(of type: PINMessageType) -> ([String], [String]) {
        switch type.kind {
        case .offer: (["transport_key"], proofMembers(type.version))
        case .signIn, .commit: (proofMembers(type.version), [])
        case .resolve: (["ver"], [])
        case .delivery, .version, .ending: ([], [])
        }
    }

    private static func proofMembers(_ version: PINProtocolVersion) -> [String] {
        switch version {
        case .one: ["ver", "proof"]
        case .two: ["ver", "proof_key", "enc", "ct"]
        }
    }

    private static func read(_ type: PINMessageType, _ members: PINMembers) -> PINRequest? {
        switch type.kind {
        case .offer:
            guard
                let key = members.bytes("transport_key").flatMap({
                    PINTransportPublicKey(bytes: $0)
                }), key.protocolVersion == type.version
            else { return nil }
            guard members.has("ver") else { return .offer(key, proof: nil) }
            return proof(members, type.version).map { .offer(key, proof: $0) }
        case .signIn: return proof(members, type.version).map { .signIn($0) }
        case .commit: return proof(members, type.version).map { .commit($0) }
        case .resolve: return members.version().map { .resolve(version: $0) }
        case .delivery, .version, .ending: return nil
        }
    }

    private static func proof(
        _ members: PINMembers, _ protocolVersion: PINProtocolVersion
    ) -> PINSentProof? {
        guard let version = members.version() else { return nil }
        switch protocolVersion {
        case .one:
            return members.bytes("proof", count: PINProof.length).map {
                PINSentProof(version: version, content: .plain($0))
            }
        case .two:
            guard let keyID = members.bytes("proof_key", count: PINKeyID.length),
                let box = members.box()
            else { return nil }
            return PINSentProof(
                version: version, content: .sealed(PINSealedProof(keyID: keyID, box: box)))
        }
    }
}
