// SPDX-License-Identifier: Apache-2.0
public import Foundation
import PlatformSSO

/// The location of a Kerberos ticket in a login response. A mapping without all of its names is
/// ignored.
public final class ASAuthorizationProviderExtensionKerberosMapping: NSObject, Sendable {
    private struct Names: Sendable {
        var ticket: String?
        var messageBuffer: String?
        var realm: String?
        var serviceName: String?
        var clientName: String?
        var encryptionKeyType: String?
        var sessionKey: String?
    }

    private let names = SharedValue(Names())

    /// A mapping without names.
    public override init() {}

    /// The key path of the dictionary with the ticket.
    public var ticketKeyPath: String? {
        get { names[\.ticket] }
        set { names[\.ticket] = newValue }
    }

    /// The name of the AS-REP, in base64.
    public var messageBufferKeyName: String? {
        get { names[\.messageBuffer] }
        set { names[\.messageBuffer] = newValue }
    }

    /// The name of the realm.
    public var realmKeyName: String? {
        get { names[\.realm] }
        set { names[\.realm] = newValue }
    }

    /// The name of the service's name.
    public var serviceNameKeyName: String? {
        get { names[\.serviceName] }
        set { names[\.serviceName] = newValue }
    }

    /// The name of the client's name.
    public var clientNameKeyName: String? {
        get { names[\.clientName] }
        set { names[\.clientName] = newValue }
    }

    /// The name of the number of the session key's type (RFC 3962).
    public var encryptionKeyTypeKeyName: String? {
        get { names[\.encryptionKeyType] }
        set { names[\.encryptionKeyType] = newValue }
    }

    /// The name of the session key.
    public var sessionKeyKeyName: String? {
        get { names[\.sessionKey] }
        set { names[\.sessionKey] = newValue }
    }

    convenience init(_ mapping: KerberosTicketMapping) {
        self.init()
        names.whole = Names(
            ticket: mapping.ticketKeyPath, messageBuffer: mapping.messageBufferKeyName,
            realm: mapping.realmKeyName, serviceName: mapping.serviceNameKeyName,
            clientName: mapping.clientNameKeyName,
            encryptionKeyType: mapping.encryptionKeyTypeKeyName,
            sessionKey: mapping.sessionKeyKeyName)
    }

    /// `nil` unless it has all of its names.
    var mapping: KerberosTicketMapping? {
        let names = names.whole
        guard let ticket = names.ticket, let messageBuffer = names.messageBuffer,
            let realm = names.realm, let serviceName = names.serviceName,
            let clientName = names.clientName, let type = names.encryptionKeyType,
            let sessionKey = names.sessionKey
        else { return nil }
        return KerberosTicketMapping(
            ticketKeyPath: ticket, messageBufferKeyName: messageBuffer, realmKeyName: realm,
            serviceNameKeyName: serviceName, clientNameKeyName: clientName,
            encryptionKeyTypeKeyName: type, sessionKeyKeyName: sessionKey)
    }
}
