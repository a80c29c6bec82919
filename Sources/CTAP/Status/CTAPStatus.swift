// SPDX-License-Identifier: Apache-2.0

/// The first byte of a CTAP2 reply (CTAP 2.1 to 2.3, section 8.2: status codes).
///
/// A byte that no version of the specification names stays what it is: ``init(rawValue:)`` never
/// fails, so a key from the future makes an unknown status and not a broken reply.
package struct CTAPStatus: RawRepresentable, Error, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    private init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// The command was carried out.
    package static let ok = CTAPStatus(0x00)
    /// The key does not support the command.
    package static let invalidCommand = CTAPStatus(0x01)
    /// A parameter has a value that it must not have.
    package static let invalidParameter = CTAPStatus(0x02)
    /// The message or an item in it has the wrong length.
    package static let invalidLength = CTAPStatus(0x03)
    /// The message is out of sequence.
    package static let invalidSequence = CTAPStatus(0x04)
    /// The message timed out.
    package static let timeout = CTAPStatus(0x05)
    /// The key is busy with another channel.
    package static let channelBusy = CTAPStatus(0x06)
    /// The command needs the channel to be locked.
    package static let lockRequired = CTAPStatus(0x0A)
    /// The channel is not open.
    package static let invalidChannel = CTAPStatus(0x0B)
    /// A CBOR item has a type that it must not have.
    package static let cborUnexpectedType = CTAPStatus(0x11)
    /// The message is not canonical CBOR.
    package static let invalidCBOR = CTAPStatus(0x12)
    /// A required parameter is absent.
    package static let missingParameter = CTAPStatus(0x14)
    /// A limit of the key, or of a list, is passed.
    package static let limitExceeded = CTAPStatus(0x15)
    /// The fingerprint storage is full (CTAP 2.1).
    package static let fingerprintDatabaseFull = CTAPStatus(0x17)
    /// The large-blob array exceeds the storage (CTAP 2.1).
    package static let largeBlobStorageFull = CTAPStatus(0x18)
    /// A credential of the exclude list is on this key.
    package static let credentialExcluded = CTAPStatus(0x19)
    /// The operation is still running.
    package static let processing = CTAPStatus(0x21)
    /// The credential is not valid on this key.
    package static let invalidCredential = CTAPStatus(0x22)
    /// The key waits for the person.
    package static let userActionPending = CTAPStatus(0x23)
    /// Another operation is running.
    package static let operationPending = CTAPStatus(0x24)
    /// No operation is running.
    package static let noOperations = CTAPStatus(0x25)
    /// None of the algorithms asked for is supported.
    package static let unsupportedAlgorithm = CTAPStatus(0x26)
    /// The person, or a policy, refused.
    package static let operationDenied = CTAPStatus(0x27)
    /// The storage of discoverable credentials is full.
    package static let keyStoreFull = CTAPStatus(0x28)
    /// No operation is pending that could be continued.
    package static let noOperationPending = CTAPStatus(0x2A)
    /// The key does not have this option.
    package static let unsupportedOption = CTAPStatus(0x2B)
    /// The option must not have this value here.
    package static let invalidOption = CTAPStatus(0x2C)
    /// A cancel ended the operation.
    package static let keepaliveCancel = CTAPStatus(0x2D)
    /// The key has no credential for this.
    package static let noCredentials = CTAPStatus(0x2E)
    /// The person did not act in time.
    package static let userActionTimeout = CTAPStatus(0x2F)
    /// The command is not allowed now.
    package static let notAllowed = CTAPStatus(0x30)
    /// The PIN is wrong.
    package static let pinInvalid = CTAPStatus(0x31)
    /// No PIN tries are left; only a reset helps.
    package static let pinBlocked = CTAPStatus(0x32)
    /// The `pinUvAuthParam` does not verify.
    package static let pinAuthInvalid = CTAPStatus(0x33)
    /// Too many wrong PINs in a row; the key must be powered off and on.
    package static let pinAuthBlocked = CTAPStatus(0x34)
    /// No PIN is set.
    package static let pinNotSet = CTAPStatus(0x35)
    /// The operation needs a `pinUvAuthToken` (CTAP 2.1: PUAT required).
    package static let pinRequired = CTAPStatus(0x36)
    /// The new PIN breaks a rule: its length, its repetition, a policy.
    package static let pinPolicyViolation = CTAPStatus(0x37)
    /// The `pinUvAuthToken` has expired (reserved since CTAP 2.1).
    package static let pinTokenExpired = CTAPStatus(0x38)
    /// The request exceeds the maximum message size.
    package static let requestTooLarge = CTAPStatus(0x39)
    /// The person did not act in time on the current operation.
    package static let actionTimeout = CTAPStatus(0x3A)
    /// The operation needs a person's presence.
    package static let userPresenceRequired = CTAPStatus(0x3B)
    /// Built-in user verification is blocked.
    package static let uvBlocked = CTAPStatus(0x3C)
    /// A checksum does not match (CTAP 2.1, large blobs).
    package static let integrityFailure = CTAPStatus(0x3D)
    /// The key does not support the subcommand (CTAP 2.1).
    package static let invalidSubcommand = CTAPStatus(0x3E)
    /// Built-in user verification failed; there may be tries left (CTAP 2.1).
    package static let uvInvalid = CTAPStatus(0x3F)
    /// The token lacks the permission that the operation needs (CTAP 2.1).
    package static let unauthorizedPermission = CTAPStatus(0x40)
    /// An error that has no other code.
    package static let other = CTAPStatus(0x7F)

    /// Codes that only an extension can define.
    package static let extensionCodes: ClosedRange<UInt8> = 0xE0...0xEF
    /// Codes that each vendor may use as it likes.
    package static let vendorCodes: ClosedRange<UInt8> = 0xF0...0xFF
}
