// SPDX-License-Identifier: Apache-2.0

/// The page and the code for a sign-in on another device.
package struct DeviceCodeInstructions: Sendable, Equatable {
    package let url: String
    package let code: String
    /// The page with the code in it, to be scanned.
    package let completeURL: String

    package init(url: String, code: String, completeURL: String) {
        self.url = url
        self.code = code
        self.completeURL = completeURL
    }
}
