// SPDX-License-Identifier: Apache-2.0

extension RegistrationSchemas {
    /// The shapes of passkeys, as WebAuthn Level 3 section 5.1 writes them.
    static let passkeys = """
          "PasskeyOptions": {"type": "object", "required": ["ceremony", "publicKey"],
            "properties": {
            "ceremony": {"type": "string", "description": "Send it back with the response."},
            "publicKey": {"type": "object", "description":
              "PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON."}}},
          "NewPasskey": {"type": "object", "required": ["ceremony", "credential"],
            "properties": {
            "ceremony": {"type": "string"}, "name": {"type": "string"},
            "credential": {"type": "object", "description": "RegistrationResponseJSON."}}},
          "Passkey": {"type": "object", "required": ["id", "credential_id"], "properties": {
            "id": {"type": "string", "format": "uuid"},
            "credential_id": {"type": "string", "description": "Base64url."},
            "name": {"type": "string"}, "created_at": {"type": "string"},
            "last_used_at": {"type": "string"}}},
          "Passkeys": {"type": "object", "required": ["items"], "properties": {
            "items": {"type": "array", "items": {"$ref": "#/components/schemas/Passkey"}}}},
        """
}
