// SPDX-License-Identifier: Apache-2.0

/// The `typ` of every signed message. It prevents the use of one message as another or as another
/// token of the project (RFC 8725 section 3.11).
enum PINMessageType: String, CaseIterable {
    // Signed by the device
    case offer = "gatehouse-pin-offer+jwt"
    case signIn = "gatehouse-pin-sign-in+jwt"
    case commit = "gatehouse-pin-commit+jwt"
    case resolve = "gatehouse-pin-resolve+jwt"
    // Signed by the server
    case delivery = "gatehouse-pin-delivery+jwt"
    case version = "gatehouse-pin-version+jwt"
    case ending = "gatehouse-pin-ending+jwt"

    /// The maximum size of a message in bytes: twice what RSA-2048 signatures require.
    static let maximumBytes = 4_096

    init?(header type: String?) {
        guard let type,
            let value = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(type.utf8) })
        else { return nil }
        self = value
    }
}
