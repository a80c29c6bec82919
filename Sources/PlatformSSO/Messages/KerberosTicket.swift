// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The location of a Kerberos ticket in a login response, by the names of Apple's
/// `ASAuthorizationProviderExtensionKerberosMapping`.
package struct KerberosTicketMapping: Sendable, Equatable {
    /// The key path of the dictionary with the ticket, for example `login_tgt`.
    package var ticketKeyPath: String
    package var messageBufferKeyName: String
    package var realmKeyName: String
    package var serviceNameKeyName: String
    package var clientNameKeyName: String
    package var encryptionKeyTypeKeyName: String
    package var sessionKeyKeyName: String

    /// The names of Apple's sample.
    package init(
        ticketKeyPath: String, messageBufferKeyName: String = "messageBuffer",
        realmKeyName: String = "realm", serviceNameKeyName: String = "serviceName",
        clientNameKeyName: String = "clientName",
        encryptionKeyTypeKeyName: String = "encryptionKeyType",
        sessionKeyKeyName: String = "sessionKey"
    ) {
        self.ticketKeyPath = ticketKeyPath
        self.messageBufferKeyName = messageBufferKeyName
        self.realmKeyName = realmKeyName
        self.serviceNameKeyName = serviceNameKeyName
        self.clientNameKeyName = clientNameKeyName
        self.encryptionKeyTypeKeyName = encryptionKeyTypeKeyName
        self.sessionKeyKeyName = sessionKeyKeyName
    }
}

/// A ticket that a login response carries, to be put into a credential cache.
package struct KerberosTicket: Sendable, Equatable {
    /// The unchanged AS-REP of the key distribution centre.
    package var messageBuffer: [UInt8]
    package var realm: String
    /// For example `krbtgt/EXAMPLE.COM`.
    package var serviceName: String
    package var clientName: String
    /// The number of RFC 3962, for example 18.
    package var encryptionKeyType: Int32
    package var sessionKey: Secret

    package init(
        messageBuffer: [UInt8], realm: String, serviceName: String, clientName: String,
        encryptionKeyType: Int32, sessionKey: Secret
    ) {
        self.messageBuffer = messageBuffer
        self.realm = realm
        self.serviceName = serviceName
        self.clientName = clientName
        self.encryptionKeyType = encryptionKeyType
        self.sessionKey = sessionKey
    }

    /// Returns the dictionary of a login response.
    package func json(_ mapping: KerberosTicketMapping) -> JSONValue {
        .object(
            JSONObject([
                .init(name: mapping.clientNameKeyName, value: .string(clientName)),
                .init(
                    name: mapping.encryptionKeyTypeKeyName,
                    value: .integer(Int64(encryptionKeyType))),
                .init(
                    name: mapping.messageBufferKeyName,
                    value: .string(Base64.encode(messageBuffer))),
                .init(name: mapping.realmKeyName, value: .string(realm)),
                .init(name: mapping.serviceNameKeyName, value: .string(serviceName)),
                .init(
                    name: mapping.sessionKeyKeyName,
                    value: .string(Base64.encode(sessionKey.reveal()))),
            ]))
    }

    /// Reads the ticket at that location of a login response; `nil` unless every value is present
    /// and valid, as in macOS.
    package init?(_ mapping: KerberosTicketMapping, in response: JSONObject) {
        guard let path = JSONKeyPath(mapping.ticketKeyPath),
            let ticket = path.value(in: .object(response))?.object,
            let buffer = Self.bytes(ticket[mapping.messageBufferKeyName]),
            let realm = Self.text(ticket[mapping.realmKeyName]),
            let service = Self.text(ticket[mapping.serviceNameKeyName]),
            let client = Self.text(ticket[mapping.clientNameKeyName]),
            let type = Self.number(ticket[mapping.encryptionKeyTypeKeyName]),
            let key = Self.bytes(ticket[mapping.sessionKeyKeyName])
        else { return nil }
        self.init(
            messageBuffer: buffer, realm: realm, serviceName: service, clientName: client,
            encryptionKeyType: type, sessionKey: Secret(key))
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard let text = value?.string, 1...1024 ~= text.utf8.count else { return nil }
        return text
    }

    private static func bytes(_ value: JSONValue?) -> [UInt8]? {
        guard let bytes = value?.string.flatMap({ LenientBase64.decode($0) }), !bytes.isEmpty
        else { return nil }
        return bytes
    }

    private static func number(_ value: JSONValue?) -> Int32? {
        (value?.integer ?? value?.string.flatMap { Int64($0) }).flatMap { Int32(exactly: $0) }
    }
}
