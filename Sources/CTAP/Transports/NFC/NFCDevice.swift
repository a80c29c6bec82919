// SPDX-License-Identifier: Apache-2.0

/// A card on a reader.
struct NFCDevice: AuthenticatorDevice {
    let description: AuthenticatorDescription
    private let reader: String

    init(reader: String) {
        self.reader = reader
        description = AuthenticatorDescription(id: reader, kind: .nfc, name: reader)
    }

    func open() async throws(TransportError) -> any AuthenticatorTransport {
        try await NFCTransport { [reader] () throws(TransportError) in
            try PCSCCard(reader: reader)
        }
    }
}
