// SPDX-License-Identifier: Apache-2.0

/// A CTAP2 request of any kind: one command byte, then its parameters.
package enum CTAPRequest: Sendable, Equatable {
    case makeCredential(MakeCredentialRequest)
    case getAssertion(GetAssertionRequest)
    case getNextAssertion
    case getInfo
    case clientPIN(ClientPINRequest)
    case reset
    case selection
    /// `preview`: with the command byte of keys before CTAP 2.1.
    case bioEnrollment(BioEnrollmentRequest, preview: Bool = false)
    case credentialManagement(CredentialManagementRequest, preview: Bool = false)
    case largeBlobs(LargeBlobsRequest)
    case config(ConfigRequest)

    package var command: CTAPCommand {
        switch self {
        case .makeCredential: .makeCredential
        case .getAssertion: .getAssertion
        case .getNextAssertion: .getNextAssertion
        case .getInfo: .getInfo
        case .clientPIN: .clientPIN
        case .reset: .reset
        case .selection: .selection
        case .bioEnrollment(_, let preview): preview ? .bioEnrollmentPreview : .bioEnrollment
        case .credentialManagement(_, let preview):
            preview ? .credentialManagementPreview : .credentialManagement
        case .largeBlobs: .largeBlobs
        case .config: .config
        }
    }

    private var parameters: [UInt8] {
        switch self {
        case .makeCredential(let request): request.encode()
        case .getAssertion(let request): request.encode()
        case .clientPIN(let request): request.encode()
        case .bioEnrollment(let request, _): request.encode()
        case .credentialManagement(let request, _): request.encode()
        case .largeBlobs(let request): request.encode()
        case .config(let request): request.encode()
        case .getNextAssertion, .getInfo, .reset, .selection: []
        }
    }

    /// The command byte with the canonical CBOR after it.
    package func frame() -> [UInt8] { [command.rawValue] + parameters }

    /// Reads a whole request.
    package init(frame: [UInt8]) throws(CTAPMessageError) {
        guard let first = frame.first else { throw .empty }
        guard let command = CTAPCommand(rawValue: first) else { throw .unknownCommand(first) }
        let cbor = Array(frame.dropFirst())
        switch command {
        case .makeCredential: self = .makeCredential(try MakeCredentialRequest(cbor: cbor))
        case .getAssertion: self = .getAssertion(try GetAssertionRequest(cbor: cbor))
        case .clientPIN: self = .clientPIN(try ClientPINRequest(cbor: cbor))
        case .bioEnrollment, .bioEnrollmentPreview:
            self = .bioEnrollment(
                try BioEnrollmentRequest(cbor: cbor), preview: command == .bioEnrollmentPreview)
        case .credentialManagement, .credentialManagementPreview:
            self = .credentialManagement(
                try CredentialManagementRequest(cbor: cbor),
                preview: command == .credentialManagementPreview)
        case .largeBlobs: self = .largeBlobs(try LargeBlobsRequest(cbor: cbor))
        case .config: self = .config(try ConfigRequest(cbor: cbor))
        case .getNextAssertion, .getInfo, .reset, .selection:
            guard cbor.isEmpty else { throw .unexpectedParameters }
            self =
                switch command {
                case .getNextAssertion: .getNextAssertion
                case .getInfo: .getInfo
                case .reset: .reset
                default: .selection
                }
        }
    }
}
