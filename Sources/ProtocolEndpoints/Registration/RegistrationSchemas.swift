// SPDX-License-Identifier: Apache-2.0

/// The shapes of what `/registration` takes and gives, JSON Schema 2020-12.
enum RegistrationSchemas {
    static let text = """
        {
          "ChallengeRequest": {"type": "object", "required": ["method"], "properties": {
            "method": {"type": "string", "description": "signedJWT, testKey, …; FSSO and TEST too."}}},
          "Challenge": {"type": "object", "required": ["nonce", "audience", "expires_in"],
            "properties": {
            "nonce": {"type": "string"}, "audience": {"type": "string"},
            "expires_in": {"type": "integer", "description": "Seconds."},
            "pin": {"type": "object", "description": "The PIN policy of the project.",
              "properties": {
              "use": {"type": "string", "enum": ["optional", "required"]},
              "attempts": {"type": "integer"},
              "policy": {"type": "object", "properties": {
                "length": {"type": "integer"}, "maximum_repeats": {"type": "integer"},
                "allows_sequences": {"type": "boolean"},
                "blocked": {"type": "array", "items": {"type": "string"}}}}}}}},
          "IdentityProviders": {"type": "object", "required": ["items"], "properties": {
            "items": {"type": "array", "items": {"type": "object",
              "required": ["id", "kind", "name", "method"], "properties": {
              "id": {"type": "string", "description":
                "Of an upstream provider: identity_provider at the authorization endpoint."},
              "kind": {"type": "string", "enum": ["browser", "upstream", "custom"]},
              "name": {"type": "string"},
              "icon": {"type": "string", "description": "An https or data: URL of an image."},
              "method": {"type": "string", "enum": ["oidc", "customOneStep", "customTwoStep"]}}}}}},
          "RegistrationStart": {"type": "object",
            "required": ["identity_provider", "registration_id"], "properties": {
            "identity_provider": {"type": "string"},
            "registration_id": {"type": "string", "format": "uuid"},
            "data": {"type": "string", "maxLength": 8192}}},
          "RegistrationStarted": {"type": "object",
            "required": ["provider_status", "transaction", "expires_in"], "properties": {
            "provider_status": {"type": "integer", "minimum": 2000, "maximum": 2999},
            "data": {"type": "string"}, "transaction": {"type": "string"},
            "expires_in": {"type": "integer", "description": "Seconds."}}},
          "RegistrationCancel": {"type": "object", "required": ["transaction"], "properties": {
            "transaction": {"type": "string"}}},
          "PINRequest": {"type": "object", "required": ["request"], "properties": {
            "request": {"type": "string", "description": "Compact JWS of the PIN protocol."}}},
          "PINAnswer": {"type": "object", "required": ["code"], "properties": {
            "code": {"type": "string", "enum": ["accepted", "delivery", "version"]},
            "statement": {"type": "string", "description": "Compact JWS of the provider."},
            "next": {"$ref": "#/components/schemas/Challenge",
              "description": "Only from /pin: the nonce for the next message."}}},
          "Registration": {"type": "object",
            "required": ["method", "registration_id", "nonce", "evidence"], "properties": {
            "method": {"type": "string"},
            "registration_id": {"type": "string", "format": "uuid",
              "description": "Chosen once by the installation; the same in every repetition."},
            "nonce": {"type": "string"},
            "evidence": {"type": "object", "description": "As the method requires.",
              "properties": {"token": {"type": "string"}, "key_id": {"type": "string"},
              "attestation": {"type": "string"},
              "access_token": {"type": "string", "description":
                "Of oidc: scope registration, bound to public_key or to the key of proof."},
              "proof": {"type": "string", "description":
                "Of oidc: a DPoP proof for POST /registration, RFC 9449."},
              "certificates": {"type": "array", "items": {"type": "string"}},
              "identity_provider": {"type": "string"}, "transaction": {"type": "string"},
              "data": {"type": "string"}}},
            "public_key": {"description": "A JWK, or base64 of a DER key.", "oneOf": [
              {"type": "object"}, {"type": "string"}]},
            "key_proof": {"type": "string",
              "description": "Compact JWS of the key over SHA-256(nonce, public key)."},
            "pin_offer": {"type": "string",
              "description": "Compact JWS, the first message of the PIN protocol."},
            "name": {"type": "string", "maxLength": 128}}},
          "Registered": {"type": "object", "required": ["method", "registration_id", "user_id",
            "username", "installation_id", "registered_at"], "properties": {
            "method": {"type": "string"},
            "registration_id": {"type": "string", "format": "uuid"},
            "user_id": {"type": "string", "format": "uuid"}, "username": {"type": "string"},
            "installation_id": {"type": "string", "format": "uuid"},
            "key_id": {"type": "string"},
            "pin": {"$ref": "#/components/schemas/PINAnswer"}, "registered_at": {"type": "string"},
            "next": {"$ref": "#/components/schemas/Challenge", "description":
              "The nonce for the first sign-in; of /pin/challenge if the installation has a PIN."}}},
          "Installations": {"type": "object", "required": ["items"], "properties": {
            "items": {"type": "array", "items": {"type": "object", "properties": {
              "id": {"type": "string"}, "name": {"type": "string"},
              "method": {"type": "string"}, "has_key": {"type": "boolean"},
              "current": {"type": "boolean"}, "registered_at": {"type": "string"}}}}}},
          "NewAuthenticator": {"type": "object",
            "required": ["kind", "nonce", "public_key", "key_proof"], "properties": {
            "kind": {"type": "string", "pattern": "^[a-z][a-z0-9._-]{0,63}$"},
            "nonce": {"type": "string"}, "name": {"type": "string", "maxLength": 128},
            "public_key": {"description": "A JWK, or base64 of a DER key.", "oneOf": [
              {"type": "object"}, {"type": "string"}]},
            "key_proof": {"type": "string",
              "description": "Compact JWS of the key over SHA-256(nonce, public key)."}}},
          "Authenticator": {"type": "object", "required": ["id", "kind", "key_id"], "properties": {
            "id": {"type": "string", "format": "uuid"}, "kind": {"type": "string"},
            "key_id": {"type": "string"}, "name": {"type": "string"},
            "created_at": {"type": "string"}, "last_used_at": {"type": "string"}}},
          "Authenticators": {"type": "object", "required": ["items"], "properties": {
            "items": {"type": "array",
              "items": {"$ref": "#/components/schemas/Authenticator"}}}},
        \(approvals)
        \(handoff)
        \(passkeys)
          "Problem": {"type": "object", "description": "RFC 9457.",
            "required": ["status", "code"], "properties": {
            "type": {"type": "string"}, "title": {"type": "string"},
            "status": {"type": "integer"}, "code": {"type": "string"},
            "detail": {"type": "string"}, "request_id": {"type": "string"}}}
        }
        """
}
