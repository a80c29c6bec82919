// SPDX-License-Identifier: Apache-2.0

/// The parameters of makeCredential and getAssertion that decide on user verification.
struct UserVerificationRequest {
    let parameter: [UInt8]?
    let pinProtocol: UInt8?
    let clientDataHash: [UInt8]
    let options: CTAPOptions?
    let rpId: String
    let permission: PINPermissions
    let operation: GesturePrompt.Operation
    /// Whether verification is required although the request does not contain it.
    let isRequired: Bool
}
