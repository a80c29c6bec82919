// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A request of the agent to an extension. Each is one method of Apple's
/// `ASAuthorizationProviderExtensionRegistrationHandler` or `…AuthorizationRequestHandler`.
package enum ExtensionHostRequest: Sendable, Equatable {
    /// The registration of a device without a person: ``ExtensionLoginState/ofTheDevice`` is sent.
    case registerDevice(ExtensionLoginState, ExtensionRequestOptions)
    case registerUser(
        ExtensionLoginState, userName: String?, PlatformSSOAuthenticationMethod,
        ExtensionRequestOptions)
    case registrationDidComplete
    case registrationDidCancel
    /// Before an automatic rotation; the new key is the pending one of that type.
    case keyWillRotate(ExtensionLoginState, ExtensionKeyType, newKey: PublicJWK)
    case displayNames(ExtensionLoginState, groups: [String])
    case profilePicture(ExtensionLoginState)
    case authorize(ExtensionAuthorizationRequest, ExtensionLoginState)

    package enum Kind: String, Sendable, CaseIterable {
        case registerDevice = "register_device"
        case registerUser = "register_user"
        case registrationDidComplete = "registration_did_complete"
        case registrationDidCancel = "registration_did_cancel"
        case keyWillRotate = "key_will_rotate"
        case displayNames = "display_names"
        case profilePicture = "profile_picture"
        case authorize
    }

    package var kind: Kind {
        switch self {
        case .registerDevice: .registerDevice
        case .registerUser: .registerUser
        case .registrationDidComplete: .registrationDidComplete
        case .registrationDidCancel: .registrationDidCancel
        case .keyWillRotate: .keyWillRotate
        case .displayNames: .displayNames
        case .profilePicture: .profilePicture
        case .authorize: .authorize
        }
    }

    /// `nil` for the two notifications, which have no login manager.
    package var state: ExtensionLoginState? {
        switch self {
        case .registerDevice(let state, _), .registerUser(let state, _, _, _),
            .keyWillRotate(let state, _, _), .displayNames(let state, _),
            .profilePicture(let state), .authorize(_, let state):
            state
        case .registrationDidComplete, .registrationDidCancel: nil
        }
    }

    /// The options of a registration; empty for other requests.
    package var options: ExtensionRequestOptions {
        switch self {
        case .registerDevice(_, let options), .registerUser(_, _, _, let options): options
        default: []
        }
    }

    /// Whether the extension may display something to the person.
    package var allowsPresentation: Bool {
        switch self {
        case .registerDevice, .registerUser: options.contains(.userInteractionEnabled)
        case .authorize(let request, _): request.isUserInterfaceEnabled
        default: false
        }
    }

    // MARK: JSON

    var json: JSONObject {
        var object = JSONObject([.init(name: "request", value: .string(kind.rawValue))])
        object["state"] = state.map { .object($0.json) }
        switch self {
        case .registerDevice(let state, let options):
            object["state"] = .object(state.ofTheDevice.json)
            object["options"] = .integer(Int64(options.rawValue))
        case .registerUser(_, let userName, let method, let options):
            object["user_name"] = userName.map { .string($0) }
            object["method"] = .string(method.rawValue)
            object["options"] = .integer(Int64(options.rawValue))
        case .keyWillRotate(_, let type, let key):
            object["key_type"] = .integer(Int64(type.rawValue))
            object["new_key"] = key.json
        case .displayNames(_, let groups): object["groups"] = .texts(groups)
        case .authorize(let request, _): object["authorization"] = .object(request.json)
        case .registrationDidComplete, .registrationDidCancel, .profilePicture: break
        }
        return object
    }

    init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        let kind: Kind = try reader.required("request", .choice)
        func state() throws(ExtensionMessageError) -> ExtensionLoginState {
            try ExtensionLoginState(json: try reader.required("state", .object))
        }
        func options() throws(ExtensionMessageError) -> ExtensionRequestOptions {
            let known = Int64(ExtensionRequestOptions.known.rawValue)
            return .init(rawValue: UInt(try reader.required("options", .integer(0...known))))
        }
        switch kind {
        case .registerDevice:
            self = .registerDevice(try state().ofTheDevice, try options())
        case .registerUser:
            self = .registerUser(
                try state(), userName: try reader.optional("user_name", .text),
                try reader.required("method", .choice), try options())
        case .registrationDidComplete: self = .registrationDidComplete
        case .registrationDidCancel: self = .registrationDidCancel
        case .keyWillRotate:
            self = .keyWillRotate(
                try state(), try reader.required("key_type", .choice),
                newKey: try reader.required("new_key", .publicKey))
        case .displayNames:
            self = .displayNames(
                try state(), groups: try reader.required("groups", .texts(1000)))
        case .profilePicture: self = .profilePicture(try state())
        case .authorize:
            self = .authorize(
                try ExtensionAuthorizationRequest(
                    json: try reader.required("authorization", .object)),
                try state())
        }
        try reader.finish()
    }
}
