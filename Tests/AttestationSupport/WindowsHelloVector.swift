// SPDX-License-Identifier: Apache-2.0
import Foundation
package import JOSE
package import Primitives

/// Registrations with TPM statements, as browsers sent them. The files say where they are from.
package struct WindowsHelloVector: Decodable, Sendable {
    package let name: String
    package let rpId: String
    package let origin: String
    /// 32 bytes in base64url.
    package let challenge: String
    /// Epoch seconds, inside the validity of the certificates.
    package let now: Int64
    package let id: String
    package let clientDataJSON: String
    package let attestationObject: String

    private struct File: Decodable {
        let root: String
        let vectors: [WindowsHelloVector]
    }

    private static func file(_ name: String) -> File? {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Vectors/\(name)")
        return try? JSONDecoder().decode(File.self, from: Data(contentsOf: path))
    }

    private static let windowsHello = file("windows-hello.json")

    /// Of Windows Hello on real machines, signed with RS1.
    package static let all = windowsHello?.vectors ?? []
    /// Of the FIDO conformance tools; the certificates have negative serial numbers.
    package static let negativeSerial = file("negative-serial.json")?.vectors ?? []
    /// "Microsoft TPM Root Certificate Authority 2014", DER.
    package static let root = windowsHello.flatMap { Base64URL.decode($0.root) } ?? []

    package var time: Timestamp { Timestamp(seconds: now) }

    /// `RegistrationResponseJSON`.
    package var response: JSONValue {
        [
            "id": .string(id), "rawId": .string(id), "type": "public-key",
            "authenticatorAttachment": "platform", "clientExtensionResults": [:],
            "response": [
                "clientDataJSON": .string(clientDataJSON),
                "attestationObject": .string(attestationObject), "transports": ["internal"],
            ],
        ]
    }
}
