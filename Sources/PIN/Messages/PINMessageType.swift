// SPDX-License-Identifier: Apache-2.0

/// The `typ` of every signed message. It prevents the use of one message as another, as one of
/// another version, or as another token of the project (RFC 8725 section 3.11).
struct PINMessageType: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        // Signed by the device
        case offer, signIn = "sign-in", commit, resolve
        // Signed by the server
        case delivery, version, ending
    }

    let kind: Kind
    let version: PINProtocolVersion

    init(_ kind: Kind, _ version: PINProtocolVersion) {
        self.kind = kind
        self.version = version
    }

    /// The maximum size of a message in bytes: twice what RSA-2048 signatures require.
    static let maximumBytes = 4_096

    var text: String { "\(version.typePrefix)\(kind.rawValue)+jwt" }

    private static let all = PINProtocolVersion.allCases.flatMap { version in
        Kind.allCases.map { PINMessageType($0, version) }
    }

    init?(header type: String?) {
        guard let type,
            let value = Self.all.first(where: { $0.text.utf8.elementsEqual(type.utf8) })
        else { return nil }
        self = value
    }
}
