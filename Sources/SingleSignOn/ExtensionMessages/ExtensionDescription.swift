// SPDX-License-Identifier: Apache-2.0
import JOSE

/// The properties of an extension, sent when it is ready.
package struct ExtensionDescription: Sendable, Equatable {
    package enum ProtocolVersion: Int, Sendable, CaseIterable {
        case version1 = 0
        case version2 = 1
    }

    /// With Apple's bits.
    package struct GrantTypes: OptionSet, Sendable {
        package let rawValue: UInt
        package init(rawValue: UInt) { self.rawValue = rawValue }

        package static let password = Self(rawValue: 1)
        package static let jwtBearer = Self(rawValue: 2)
        package static let saml11 = Self(rawValue: 4)
        package static let saml2 = Self(rawValue: 8)
        /// macOS 27; Apple has not published its bit, this one is specific to this package.
        package static let tokenExchange = Self(rawValue: 16)

        package static let known = Self(rawValue: 31)
    }

    package var handlesRegistration: Bool
    package var handlesAuthorization: Bool
    package var protocolVersion: ProtocolVersion
    package var grantTypes: GrantTypes
    /// Names as in `ASAuthorizationProviderExtensionSigningAlgorithm`, preferred first.
    package var deviceSigningAlgorithms: [String]
    package var deviceEncryptionAlgorithms: [String]
    package var userKeySigningAlgorithms: [String]

    package init(
        handlesRegistration: Bool, handlesAuthorization: Bool,
        protocolVersion: ProtocolVersion = .version1,
        grantTypes: GrantTypes = [.password, .jwtBearer],
        deviceSigningAlgorithms: [String] = ["es256"],
        deviceEncryptionAlgorithms: [String] = ["ecdhe_A256GCM"],
        userKeySigningAlgorithms: [String] = ["es256"]
    ) {
        self.handlesRegistration = handlesRegistration
        self.handlesAuthorization = handlesAuthorization
        self.protocolVersion = protocolVersion
        self.grantTypes = grantTypes
        self.deviceSigningAlgorithms = deviceSigningAlgorithms
        self.deviceEncryptionAlgorithms = deviceEncryptionAlgorithms
        self.userKeySigningAlgorithms = userKeySigningAlgorithms
    }

    var json: JSONObject {
        JSONObject([
            .init(name: "registration", value: .bool(handlesRegistration)),
            .init(name: "authorization", value: .bool(handlesAuthorization)),
            .init(name: "protocol_version", value: .integer(Int64(protocolVersion.rawValue))),
            .init(name: "grant_types", value: .integer(Int64(grantTypes.rawValue))),
            .init(name: "device_signing", value: .texts(deviceSigningAlgorithms)),
            .init(name: "device_encryption", value: .texts(deviceEncryptionAlgorithms)),
            .init(name: "user_key_signing", value: .texts(userKeySigningAlgorithms)),
        ])
    }

    init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        handlesRegistration = try reader.required("registration", .bool)
        handlesAuthorization = try reader.required("authorization", .bool)
        protocolVersion = try reader.required("protocol_version", .choice)
        grantTypes = GrantTypes(
            rawValue: UInt(
                try reader.required("grant_types", .integer(0...Int64(GrantTypes.known.rawValue)))))
        deviceSigningAlgorithms = try reader.required("device_signing", .texts(8))
        deviceEncryptionAlgorithms = try reader.required("device_encryption", .texts(8))
        userKeySigningAlgorithms = try reader.required("user_key_signing", .texts(8))
        try reader.finish()
    }
}
