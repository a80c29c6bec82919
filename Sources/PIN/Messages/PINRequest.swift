// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// What a device says to the server, before it is signed or after it was verified.
package enum PINRequest: Sendable, Equatable {
    /// "Make me a secret": the first one, within a registration, without a proof; or the next one,
    /// to change the PIN, with a proof of the present one.
    case offer(PINTransportPublicKey, proof: PINProof?)
    /// "The person typed the PIN."
    case signIn(PINProof)
    /// "I have sealed the secret that you offered": from now on it is the one.
    case commit(PINProof)
    /// "Which secret counts? I still hold this offered one": takes the offer back if it stands.
    case resolve(version: UInt32)

    var type: PINMessageType {
        switch self {
        case .offer: .offer
        case .signIn: .signIn
        case .commit: .commit
        case .resolve: .resolve
        }
    }

    /// The JSON that is signed. `aud` is the issuer, `jti` the nonce.
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

    /// What an unverified request must be looked up by and judged with.
    struct Head {
        let issuer: String
        let nonce: PINNonce
    }

    /// Reads a payload of that type, strictly.
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
