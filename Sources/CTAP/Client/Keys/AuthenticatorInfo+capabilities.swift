// SPDX-License-Identifier: Apache-2.0

extension AuthenticatorInfo {
    /// Returns the value of an option; `nil` if the key does not report it.
    package func option(_ name: String) -> Bool? { options?[name] }

    package func has(option name: String) -> Bool { options?[name] == true }

    package func has(extension name: String) -> Bool { extensions?.contains(name) == true }

    /// Whether it implements CTAP 2.1 or later; `FIDO_2_1_PRE` does not count.
    package var isCTAP21: Bool {
        versions.contains { ["FIDO_2_1", "FIDO_2_2", "FIDO_2_3"].contains($0) }
    }

    /// Longest message in bytes.
    package var messageLimit: Int { maxMsgSize ?? 1024 }

    /// Protocol two if the key supports it, in any order of its list: a manipulated list does not
    /// lead to protocol one.
    package var preferredPINProtocol: PINProtocol? {
        let offered = pinUvAuthProtocols ?? (options?["clientPin"] == nil ? [] : [1])
        if offered.contains(2) { return .two }
        return offered.contains(1) ? .one : nil
    }

    /// Whether a PIN is set.
    package var hasPIN: Bool { has(option: "clientPin") }
    /// Whether a PIN could be set.
    package var canHavePIN: Bool { options?["clientPin"] != nil }
    /// Whether built-in verification is set up.
    package var hasBuiltInVerification: Bool { has(option: "uv") }
    /// Whether the key can verify the person in its current state.
    package var canVerify: Bool { hasBuiltInVerification || canVerifyByPIN }

    /// The key may forbid its PIN for the two ceremonies.
    package var canVerifyByPIN: Bool {
        hasPIN && !has(option: "noMcGaPermissionsWithClientPin")
    }
}
