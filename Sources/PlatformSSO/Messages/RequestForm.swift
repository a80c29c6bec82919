// SPDX-License-Identifier: Apache-2.0

/// A name and a value of a form, as macOS's `URLQueryItem`.
package struct FormField: Sendable, Equatable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The form that a device posts to the provider.
package enum RequestForm: Sendable, Equatable {
    /// A request for a server nonce.
    case nonce
    /// A signed request, as compact JWS.
    case request(ProtocolVersion, message: String)

    /// Reads a form with decoded fields.
    ///
    /// - Parameter messageParameter: `customRequestJWTParameterName`. `request`, which the SDK of
    ///   macOS 13 uses, is accepted too.
    /// - Throws: `formMalformed`, `grantUnsupported`, `versionUnsupported`.
    package init(
        _ fields: [FormField], messageParameter: String = "assertion"
    ) throws(PlatformSSORefusal) {
        guard Set(fields.map(\.name)).count == fields.count else {
            throw PlatformSSORefusal(.formMalformed, "a parameter is repeated")
        }
        func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        switch value("grant_type") {
        case GrantType.nonceRequest: self = .nonce
        case GrantType.jwtBearer.rawValue:
            guard let version = value("platform_sso_version").flatMap(ProtocolVersion.init(wire:))
            else {
                throw PlatformSSORefusal(.versionUnsupported, "not version 1, 1.0 or 2.0")
            }
            let messages = Set([messageParameter, "request"]).compactMap(value)
            guard let message = messages.first, messages.count == 1 else {
                throw PlatformSSORefusal(.formMalformed, "not exactly one signed request")
            }
            self = .request(version, message: message)
        default:
            throw PlatformSSORefusal(
                .grantUnsupported, "the form's grant_type is neither srv_challenge nor jwt-bearer")
        }
    }

    /// Returns the fields that a device posts, without those of its configuration.
    package static func fields(
        _ version: ProtocolVersion, message: [UInt8], parameter: String = "assertion"
    ) -> [FormField] {
        [
            FormField("platform_sso_version", version.rawValue),
            FormField("grant_type", GrantType.jwtBearer.rawValue),
            FormField(parameter, String(decoding: message, as: UTF8.self)),
        ]
    }
}
