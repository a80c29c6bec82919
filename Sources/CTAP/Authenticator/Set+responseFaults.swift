// SPDX-License-Identifier: Apache-2.0
import CBOR

/// The faults in responses.
extension Set<FaultInjection> {
    /// Authenticator data as a broken key writes it, and what it signs.
    func corrupted(
        _ writer: AuthenticatorDataWriter, clientDataHash: [UInt8]
    ) -> (data: [UInt8], message: [UInt8]) {
        corrupted(writer.bytes, clientDataHash: clientDataHash)
    }

    func corrupted(
        _ data: [UInt8], clientDataHash: [UInt8]
    ) -> (data: [UInt8], message: [UInt8]) {
        var data = data
        if contains(.wrongRPIDHash), !data.isEmpty { data[0] ^= 1 }
        if contains(.claimsVerification), data.count > 32 { data[32] |= 0x04 }
        if contains(.deniesPresence), data.count > 32 { data[32] &= ~0x01 }
        var message = data + clientDataHash
        if contains(.wrongSignature) { message.append(0) }
        return (data, message)
    }

    func corrupted(_ credential: CTAPCredentialDescriptor) -> CTAPCredentialDescriptor {
        guard contains(.otherCredential) else { return credential }
        return CTAPCredentialDescriptor(id: credential.id.map { $0 ^ 0xFF })
    }

    /// A whole reply, distorted. Replies to getInfo stay whole, so that a client gets as far as
    /// the operation that is tested.
    func distort(_ reply: [UInt8], to command: UInt8) -> [UInt8] {
        if contains(.emptyReply) { return [] }
        guard command != CTAPCommand.getInfo.rawValue, reply.first == 0, reply.count > 1 else {
            return reply
        }
        if contains(.unknownStatus) { return [0x6E] }
        if contains(.malformedCBOR) { return [0, 0xFF, 0x9B, 0xFF, 0xFF, 0xFF, 0xFF] }
        if contains(.trailingBytes) { return reply + [0] }
        if contains(.truncatedCBOR) { return Array(reply.dropLast((reply.count + 1) / 2)) }
        if contains(.unsortedCBOR) { return reversingKeys(reply) }
        if contains(.keyAgreementOffCurve), command == CTAPCommand.clientPIN.rawValue {
            return movingPoint(reply)
        }
        return reply
    }

    /// The same map with its last entry first.
    private func reversingKeys(_ reply: [UInt8]) -> [UInt8] {
        guard let value = try? CBORValue.decode(Array(reply.dropFirst()), profile: .rfc8949),
            let entries = value.entries, entries.count > 1, entries.count < 24
        else { return reply }
        return entries.reversed().reduce(into: [0, 0xA0 | UInt8(entries.count)]) {
            $1.key.append(to: &$0, ordering: .ctap2)
            $1.value.append(to: &$0, ordering: .ctap2)
        }
    }

    /// The last byte of a key agreement reply is the end of the y coordinate.
    private func movingPoint(_ reply: [UInt8]) -> [UInt8] {
        guard reply.count == 81 || reply.count == 80, let last = reply.last else { return reply }
        return reply.dropLast() + [last ^ 1]
    }
}
