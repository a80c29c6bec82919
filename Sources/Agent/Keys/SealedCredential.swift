// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// What a provider has sealed for a TPM and a key in it.
package struct SealedCredential: Sendable, Equatable {
    /// The contents of `TPM2B_ID_OBJECT`.
    package let blob: [UInt8]
    /// The contents of `TPM2B_ENCRYPTED_SECRET`.
    package let encryptedSecret: [UInt8]

    package init(blob: [UInt8], encryptedSecret: [UInt8]) {
        self.blob = blob
        self.encryptedSecret = encryptedSecret
    }

    /// `nil` for what is no answer of a provider.
    init?(json: [UInt8]) {
        guard let object = try? JSONParser.parseObject(json, maximumBytes: 16_384),
            let blob = object["credential_blob"]?.string.flatMap({ Base64URL.decode($0) }),
            let secret = object["encrypted_secret"]?.string.flatMap({ Base64URL.decode($0) }),
            1...1024 ~= blob.count, 1...1024 ~= secret.count
        else { return nil }
        self.init(blob: blob, encryptedSecret: secret)
    }
}
