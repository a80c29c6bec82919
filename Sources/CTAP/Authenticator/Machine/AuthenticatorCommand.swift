// SPDX-License-Identifier: Apache-2.0

/// A command in progress.
enum AuthenticatorCommand {
    case makeCredential(CredentialCommandRun<MakeCredentialCommand>)
    case getAssertion(CredentialCommandRun<GetAssertionCommand>)
    case clientPIN(ClientPINCommand)
    case bioEnrollment(BioEnrollmentCommand)
    case reset(ResetCommand)
    case selection(SelectionCommand)
    case u2f(U2FCommand)
    /// A command without gestures.
    case immediate(CTAPRequest)

    init(_ request: CTAPRequest) {
        switch request {
        case .makeCredential(let request):
            self = .makeCredential(CredentialCommandRun(MakeCredentialCommand(request)))
        case .getAssertion(let request):
            self = .getAssertion(CredentialCommandRun(GetAssertionCommand(request)))
        case .clientPIN(let request): self = .clientPIN(ClientPINCommand(request))
        case .bioEnrollment(let request, let preview):
            self = .bioEnrollment(BioEnrollmentCommand(request, preview: preview))
        case .reset: self = .reset(ResetCommand())
        case .selection: self = .selection(SelectionCommand())
        case .getNextAssertion, .getInfo, .credentialManagement, .largeBlobs, .config:
            self = .immediate(request)
        }
    }

    /// Begins the command if `result` is `nil`, else continues it after a gesture.
    mutating func run(
        after result: GestureResult?, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CommandProgress<[UInt8]> {
        switch self {
        case .makeCredential(var command):
            defer { self = .makeCredential(command) }
            return try command.run(after: result, &machine)
        case .getAssertion(var command):
            defer { self = .getAssertion(command) }
            return try command.run(after: result, &machine)
        case .clientPIN(var command):
            defer { self = .clientPIN(command) }
            return try command.run(after: result, &machine)
        case .bioEnrollment(var command):
            defer { self = .bioEnrollment(command) }
            return try command.run(after: result, &machine)
        case .u2f(var command):
            defer { self = .u2f(command) }
            return try command.run(after: result, &machine)
        case .reset(var command): return try command.run(after: result, &machine)
        case .selection(var command): return try command.run(after: result, &machine)
        case .immediate(let request): return .finished(try Self.respond(to: request, &machine))
        }
    }

    private static func respond(
        to request: CTAPRequest, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> [UInt8] {
        switch request {
        case .getNextAssertion: try GetNextAssertionCommand().run(&machine).encode()
        case .getInfo: try GetInfoCommand().run(machine).encode()
        case .credentialManagement(let request, let preview):
            try CredentialManagementCommand(request, preview: preview).run(&machine).encode()
        case .largeBlobs(let request): try LargeBlobsCommand(request).run(&machine).encode()
        case .config(let request): try ConfigCommand(request).run(&machine)
        case .makeCredential, .getAssertion, .clientPIN, .bioEnrollment, .reset, .selection:
            throw .other
        }
    }
}
