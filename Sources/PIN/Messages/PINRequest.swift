// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A request of a device to the server.
package enum PINRequest: Sendable, Equatable {
    /// A request for a secret: the first one, within a registration, without a proof; or the next
    /// one, to change the PIN, with a proof of the current one.
    case offer(PINTransportPublicKey, proof: PINProof?)
    /// A sign-in with the PIN.
    case signIn(PINProof)
    /// The statement that the offered secret is sealed; it becomes the active one.
    case commit(PINProof)
    /// A request for the active version. It withdraws the offered secret unless that is active.
    case resolve(version: UInt32)

    var type: PINMessageType {
        switch self {
        case .offer: .offer
        case .signIn: .signIn
        case .commit: .commit
        case .resolve: .resolve
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

    private static func write(_ proof: PINProof, to writer: inout JSONWriter) {
        writer.member("ver", Int64(proof.version))
        writer.member("proof", Base64URL.encode(proof.tag))
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
        switch type {
        case .offer: (["transport_key"], ["ver", "proof"])
        case .signIn, .commit: (["ver", "proof"], [])
        case .resolve: (["ver"], [])
        case .delivery, .version, .ending: ([], [])
        }
    }

    private static func read(_ type: PINMessageType, _ members: PINMembers) -> PINRequest? {
        switch type {
        case .offer:
            guard
                let key = members.bytes("transport_key", count: PINTransportPublicKey.length)
                    .flatMap({ PINTransportPublicKey(bytes: $0) })
            else { return nil }
            guard members.has("proof") else { return .offer(key, proof: nil) }
            return proof(members).map { .offer(key, proof: $0) }
        case .signIn: return proof(members).map { .signIn($0) }
        case .commit: return proof(members).map { .commit($0) }
        case .resolve: return members.version().map { .resolve(version: $0) }
        case .delivery, .version, .ending: return nil
        }
    }

    private static func proof(_ members: PINMembers) -> PINProof? {
        guard let version = members.version(),
            let tag = members.bytes("proof", count: PINProof.length)
        else { return nil }
        return PINProof(version: version, tag: tag)
    }
}
