// SPDX-License-Identifier: Apache-2.0
import CTAP
import Testing

@Suite struct SecurityKeyErrorTests {
    /// The error for each status of the specification.
    static let expected: [(CTAPStatus, SecurityKeyError)] = [
        (.ok, .refused(.ok)), (.invalidCommand, .unsupported("this command")),
        (.invalidParameter, .refused(.invalidParameter)),
        (.invalidLength, .refused(.invalidLength)),
        (.invalidSequence, .refused(.invalidSequence)), (.timeout, .timedOut),
        (.channelBusy, .keyBusy), (.lockRequired, .refused(.lockRequired)),
        (.invalidChannel, .refused(.invalidChannel)),
        (.cborUnexpectedType, .refused(.cborUnexpectedType)),
        (.invalidCBOR, .refused(.invalidCBOR)),
        (.missingParameter, .refused(.missingParameter)), (.limitExceeded, .requestTooLarge),
        (.fingerprintDatabaseFull, .fingerprintStoreFull),
        (.largeBlobStorageFull, .largeBlobStoreFull), (.credentialExcluded, .alreadyRegistered),
        (.processing, .keyBusy), (.invalidCredential, .noCredential),
        (.userActionPending, .keyBusy), (.operationPending, .keyBusy),
        (.noOperations, .notAllowedNow), (.unsupportedAlgorithm, .unsupportedAlgorithm),
        (.operationDenied, .denied), (.keyStoreFull, .credentialStoreFull),
        (.noOperationPending, .notAllowedNow), (.unsupportedOption, .unsupported("this option")),
        (.invalidOption, .unsupported("this option")), (.keepaliveCancel, .cancelled),
        (.noCredentials, .noCredential), (.userActionTimeout, .touchTimedOut),
        (.notAllowed, .notAllowedNow), (.pinInvalid, .wrongPIN(triesLeft: nil)),
        (.pinBlocked, .pinBlocked), (.pinAuthInvalid, .refused(.pinAuthInvalid)),
        (.pinAuthBlocked, .mustBeReinserted), (.pinNotSet, .pinNotSet),
        (.pinRequired, .pinRequired), (.pinPolicyViolation, .pinPolicyViolation),
        (.pinTokenExpired, .refused(.pinTokenExpired)), (.requestTooLarge, .requestTooLarge),
        (.actionTimeout, .touchTimedOut), (.userPresenceRequired, .denied),
        (.uvBlocked, .verificationBlocked), (.integrityFailure, .storedDataDamaged),
        (.invalidSubcommand, .unsupported("this command")), (.uvInvalid, .notRecognised),
        (.unauthorizedPermission, .refused(.unauthorizedPermission)), (.other, .refused(.other)),
    ]

    @Test("every status of the specification becomes the error that a person understands")
    func everyStatus() {
        #expect(Set(Self.expected.map(\.0)) == Set(CTAPStatus.known))
        for (status, error) in Self.expected { #expect(SecurityKeyError(status) == error) }
    }

    @Test("every status at all, known or not, has a sentence that ends like one")
    func everyByte() {
        for byte in UInt8.min...UInt8.max {
            let sentence = SecurityKeyError(CTAPStatus(rawValue: byte)).sentence
            #expect(sentence.count > 10 && sentence.hasSuffix("."))
        }
    }

    @Test("the tries that are left are said, and the last one with a warning")
    func triesLeft() {
        #expect(
            SecurityKeyError.wrongPIN(triesLeft: 3).sentence
                == "The PIN is wrong. 3 tries are left.")
        #expect(
            SecurityKeyError.wrongPIN(triesLeft: 1).sentence
                == "The PIN is wrong. One try is left before the security key blocks.")
        #expect(SecurityKeyError.wrongPIN(triesLeft: nil).sentence == "The PIN is wrong.")
    }

    @Test("every error of a transport becomes an error with a different sentence")
    func transports() {
        let failures: [(TransportError, SecurityKeyError)] = [
            (.removed, .keyRemoved), (.closed, .keyRemoved), (.timedOut, .timedOut),
            (.cancelled, .cancelled), (.busy, .keyBusy), (.accessDenied, .accessDenied),
            (.tooLong, .requestTooLarge), (.system(5), .systemFailure(5)),
            (.channel(.other), .refused(.other)),
            (.protocolViolation("x"), .untrustworthyReply("x")),
        ]
        for (failure, error) in failures {
            #expect(SecurityKeyError(failure) == error)
            #expect(SecurityKeyError(failure).sentence.hasSuffix("."))
        }
    }

    @Test("Attack 38: every prompt names the operation, and those that destroy do so loudly")
    func purposes() {
        #expect(SecurityKeyOperation.reset.purpose == "ERASE everything on it")
        let delete = SecurityKeyOperation.deleteCredential(relyingParty: "a.org", account: "b")
        #expect(delete.purpose == "DELETE the credential of b at a.org")
        let purposes: [SecurityKeyOperation] = [
            .register(relyingParty: "a", account: "b"), .signIn(relyingParty: "a"), .chooseKey,
            .setPIN, .changePIN, .reset, .listCredentials, delete,
            .updateCredential(relyingParty: "a", account: "b"), .manageFingerprints,
            .enrollFingerprint, .removeFingerprint("a"), .readLargeBlob(relyingParty: "a"),
            .writeLargeBlob(relyingParty: "a"), .changeConfiguration("do it"),
        ]
        #expect(Set(purposes.map(\.purpose)).count == purposes.count)
    }

    @Test("what is asked of a person says what for, unless it is the choice alone")
    func promptSentences() {
        let keys = ["a", "b"].map { AuthenticatorDescription(id: $0, kind: .usb, name: $0) }
        #expect(
            SecurityKeyPrompt.touchOneOf(keys, .chooseKey).sentence
                == "Touch the security key that you want to use: a, b.")
        #expect(
            SecurityKeyPrompt.touchOneOf(keys, .reset).sentence
                == "Touch the security key that you want to use to ERASE everything on it: a, b.")
        #expect(
            SecurityKeyPrompt.insertKey(.chooseKey).sentence
                == "Plug in your security key, or hold it to the reader.")
        #expect(
            SecurityKeyPrompt.insertKey(.signIn(relyingParty: "a.org")).sentence
                == "Plug in your security key, or hold it to the reader, to sign in at a.org.")
    }

    @Test("Attack 42: text of a relying party is shown without control and direction marks")
    func promptText() {
        #expect(PromptText.clean("a\u{202E}b\u{0}c\u{1B}[31m\n") == "abc[31m")
        #expect(PromptText.clean("Zoë 🔑") == "Zoë 🔑")
        let long = PromptText.clean(String(repeating: "x", count: 1000))
        #expect(long.count == 64 && long.hasSuffix("…"))
    }
}
