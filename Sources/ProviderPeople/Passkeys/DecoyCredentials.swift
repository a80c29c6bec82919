// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import WebAuthn

/// Decoy credentials for usernames without keys.
///
/// A request for the keys of a username always receives some (WebAuthn Level 3 section 14.6.2). For
/// unknown names, and for people without a key, they are derived from the name with a secret key:
/// the same each time, different for each name, without a counter.
struct DecoyCredentials {
    let context: CeremonyContext

    /// Lengths that real authenticators use, in bytes.
    private static let lengths = [16, 20, 32, 48, 64]
    private static let transports = [
        ["internal"], ["hybrid", "internal"], ["usb"], ["nfc", "usb"],
    ]

    /// - Parameter username: in canonical form, or as typed if it has none.
    func descriptors(for username: String) -> [CredentialDescriptor] {
        let shape = hash(username, "shape")
        // One name in four has two.
        return (0..<(shape[0] < 64 ? 2 : 1)).map { index in
            let pick = shape[1 + index]
            return CredentialDescriptor(
                id: Array(bytes(username, index).prefix(Self.lengths[Int(pick) % 5])),
                transports: Self.transports[Int(pick >> 4) % 4])
        }
    }

    /// 64 bytes.
    private func bytes(_ username: String, _ index: Int) -> [UInt8] {
        hash(username, "id/\(index)/a") + hash(username, "id/\(index)/b")
    }

    private func hash(_ username: String, _ part: String) -> [UInt8] {
        let text = [part, context.project.description, username].joined(separator: "\u{0}")
        return context.provider.secrets.hash(text.utf8, for: .decoy)
    }
}
