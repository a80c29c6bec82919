// SPDX-License-Identifier: Apache-2.0
package import JOSE
import WebAuthn

extension AssertionOptions {
    /// Reads `PublicKeyCredentialRequestOptionsJSON` (WebAuthn section 5.1.10).
    package init(json: JSONValue) throws(SecurityKeyError) {
        let options = try OptionsReader(json, "options")
        let challenge = try options.required(try options.bytes("challenge"), "challenge")
        self.init(relyingPartyId: try options.text("rpId"), challenge: challenge)
        timeout = try options.timeout()
        allowCredentials = try options.credentials("allowCredentials")
        // A list of nothing known must not turn into no list at all.
        if try options.list("allowCredentials")?.isEmpty == false, allowCredentials.isEmpty {
            throw .noCredential
        }
        userVerification = try options.choice("userVerification", otherwise: .preferred)
        if let extensions = try options.map("extensions") {
            self.extensions = try AssertionExtensionInputs(extensions)
            try checkPRF()
        }
    }

    /// Inputs by credential name credentials of the allow list (WebAuthn section 10.1.4).
    private func checkPRF() throws(SecurityKeyError) {
        let named = extensions.prf?.evalByCredential.keys.map { $0 } ?? []
        guard named.allSatisfy({ id in allowCredentials.contains { $0.id == id } }) else {
            throw .malformedOptions("options.extensions.prf.evalByCredential")
        }
    }
}

extension AssertionExtensionInputs {
    init(_ reader: OptionsReader) throws(SecurityKeyError) {
        prf = try reader.prf()
        getCredBlob = try reader.bool("getCredBlob") ?? false
        appId = try reader.text("appid")
        if let blob = try reader.map("largeBlob") {
            let bytes = try blob.bytes("write")
            let read = try blob.bool("read") ?? false
            if let bytes {
                guard !read else { throw .malformedOptions("options.extensions.largeBlob") }
                largeBlob = .write(bytes)
            } else if read {
                largeBlob = .read
            }
        }
    }
}
