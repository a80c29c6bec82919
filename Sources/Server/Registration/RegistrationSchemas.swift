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
            "expires_in": {"type": "integer", "description": "Seconds."}}},
          "Registration": {"type": "object",
            "required": ["method", "registration_id", "nonce", "evidence"], "properties": {
            "method": {"type": "string"},
            "registration_id": {"type": "string", "format": "uuid",
              "description": "Chosen once by the installation; the same in every repetition."},
            "nonce": {"type": "string"},
            "evidence": {"type": "object", "properties": {"token": {"type": "string"}}},
            "public_key": {"description": "A JWK, or base64 of a DER key.", "oneOf": [
              {"type": "object"}, {"type": "string"}]},
            "key_proof": {"type": "string",
              "description": "Compact JWS of the key over SHA-256(nonce, public key)."},
            "name": {"type": "string", "maxLength": 128}}},
          "Registered": {"type": "object", "required": ["method", "registration_id", "user_id",
            "username", "installation_id", "registered_at"], "properties": {
            "method": {"type": "string"},
            "registration_id": {"type": "string", "format": "uuid"},
            "user_id": {"type": "string", "format": "uuid"}, "username": {"type": "string"},
            "installation_id": {"type": "string", "format": "uuid"},
            "key_id": {"type": "string"}, "registered_at": {"type": "string"}}},
          "Installations": {"type": "object", "required": ["items"], "properties": {
            "items": {"type": "array", "items": {"type": "object", "properties": {
              "id": {"type": "string"}, "name": {"type": "string"},
              "method": {"type": "string"}, "has_key": {"type": "boolean"},
              "current": {"type": "boolean"}, "registered_at": {"type": "string"}}}}}},
          "Problem": {"type": "object", "description": "RFC 9457.",
            "required": ["status", "code"], "properties": {
            "type": {"type": "string"}, "title": {"type": "string"},
            "status": {"type": "integer"}, "code": {"type": "string"},
            "detail": {"type": "string"}, "request_id": {"type": "string"}}}
        }
        """
}
