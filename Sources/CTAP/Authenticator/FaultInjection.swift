// SPDX-License-Identifier: Apache-2.0

/// A fault of a broken or malicious key, for the tests of clients only.
package enum FaultInjection: Sendable, Hashable, CaseIterable {
    // In the answers themselves.

    /// Signatures over something else.
    case wrongSignature
    /// `rpIdHash` of another relying party.
    case wrongRPIDHash
    /// An assertion by a credential that was not asked for.
    case otherCredential
    /// A new credential of an algorithm that was not asked for.
    case otherAlgorithm
    /// The UV flag is set without verification.
    case claimsVerification
    /// The UP flag is clear although presence was asked for.
    case deniesPresence
    /// The sign counter never moves.
    case frozenCounter
    /// Replies are no CBOR.
    case malformedCBOR
    /// Replies have their map keys in the wrong order.
    case unsortedCBOR
    /// Bytes follow the reply.
    case trailingBytes
    /// The reply ends in the middle.
    case truncatedCBOR
    /// A reply without any byte, not even a status.
    case emptyReply
    /// A status that no specification defines.
    case unknownStatus
    /// The key agreement key is not on the curve.
    case keyAgreementOffCurve

    // In the frames that carry them.

    /// Keep-alives without end, and no response.
    case endlessKeepalive
    /// No packet at all after INIT.
    case silence
    /// Answers on another channel.
    case wrongChannel
    /// INIT is answered with another nonce.
    case wrongNonce
    /// The second packet of a long answer is left out.
    case sequenceGap
    /// The second packet of a long response is repeated.
    case repeatedPacket
    /// A length beyond what packets can carry.
    case excessiveLength
    /// Only the first packet is sent.
    case unfinishedAnswer
    /// An answer to another command.
    case wrongCommand
    /// Packets of another channel between those of the answer.
    case interleavedChannels
}
