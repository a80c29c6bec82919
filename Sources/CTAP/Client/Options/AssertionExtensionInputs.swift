// SPDX-License-Identifier: Apache-2.0

/// The extension inputs of a sign-in.
package struct AssertionExtensionInputs: Sendable, Equatable {
    package enum LargeBlob: Sendable, Equatable {
        case read
        case write([UInt8])
    }

    package var prf: PRFRequest?
    package var largeBlob: LargeBlob?
    package var getCredBlob = false
    /// An AppID under which older credentials of the allow list were made.
    package var appId: String?

    package init() {}
}
