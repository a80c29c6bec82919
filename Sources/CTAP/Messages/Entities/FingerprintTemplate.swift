// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// One enrolled finger.
package struct FingerprintTemplate: Sendable, Equatable {
    package var id: [UInt8]
    package var friendlyName: String?

    package init(id: [UInt8], friendlyName: String? = nil) {
        self.id = id
        self.friendlyName = friendlyName
    }

    package init(_ value: CBORValue) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(value, "templateInfo")
        id = try reader.required(try reader.bytes(1, "templateId"), "templateId")
        friendlyName = try reader.text(2, "templateFriendlyName")
    }

    package var cbor: CBORValue {
        var writer = CTAPMapWriter()
        writer.set(1, bytes: id)
        writer.set(2, text: friendlyName)
        return writer.cbor
    }
}
