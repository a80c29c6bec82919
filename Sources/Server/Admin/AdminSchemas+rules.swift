// SPDX-License-Identifier: Apache-2.0

extension AdminSchemas {
    /// Parts of a project's rules that are changed by themselves.
    static let rules = """
          "RegistrationPolicy": {"type": "object", "properties": {
            "methods": {"type": "array", "items": {"type": "string"}},
            "test_keys_in_production": {"type": "boolean"},
            "federated_deregistration": {"type": "boolean"},
            "second_installations": {"type": "boolean"}}},
          "VersionPolicy": {"type": "object", "properties": {
            "listed_applications_only": {"type": "boolean"}}},
          "PINPolicy": {"type": "object", "properties": {
            "use": {"enum": ["off", "optional", "required"]},
            "length": {"type": "integer"}, "maximum_repeats": {"type": "integer"},
            "allows_sequences": {"type": "boolean"},
            "blocked": {"type": "array", "items": {"type": "string"}},
            "attempts": {"type": "integer"}}},
          "AppleAttestation": {"type": "object", "properties": {
            "applications": {"type": "array", "items": {"type": "string"},
              "description": "App IDs: TEAMID.bundle.id."},
            "environment": {"enum": ["production", "development"]},
            "roots": {"type": "array", "items": {"type": "string"}},
            "checks_receipt": {"type": "boolean"},
            "assertions": {"enum": ["optional", "required"]},
            "device_check_key_id": {"type": "string"},
            "device_check_team_id": {"type": "string"},
            "device_check_address": {"type": "string"},
            "device_check_once": {"type": "boolean"},
            "device_check_key": {"type": "string", "writeOnly": true,
              "description": "PEM, as Apple hands it out (.p8); kept when absent."},
            "has_device_check_key": {"type": "boolean", "readOnly": true}}},
          "AndroidAttestation": {"type": "object", "properties": {
            "minimum_level": {"enum": ["software", "trusted_environment", "strong_box"]},
            "verified_boot": {"type": "boolean"}, "user_authentication": {"type": "boolean"},
            "minimum_os_patch": {"type": "integer", "description": "Year and month, 202511."},
            "minimum_vendor_patch": {"type": "integer"},
            "minimum_boot_patch": {"type": "integer"},
            "roots": {"type": "array", "items": {"type": "string"}},
            "revocation": {"enum": ["checked", "ignored"]},
            "play_verification_key": {"type": "string"},
            "play_device_labels": {"type": "array", "items": {"type": "string"}},
            "play_recognized_app": {"type": "boolean"}, "play_licence": {"type": "boolean"},
            "play_testing_responses": {"type": "boolean"},
            "play_decryption_key": {"type": "string", "writeOnly": true,
              "description": "Base64 of 32 bytes; kept when absent."},
            "has_play_decryption_key": {"type": "boolean", "readOnly": true}}},
          "SigningFingerprint": {"type": "object", "required": ["fingerprints"], "properties": {
            "package": {"type": "string", "readOnly": true},
            "fingerprints": {"type": "array", "minItems": 1, "items": {"type": "string"},
              "description": "SHA-256 of signing certificates, in hexadecimal."},
            "owner": {"type": "string", "description": "Who is responsible for it."}}},
          "SigningFingerprints": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"$ref": "#/components/schemas/SigningFingerprint"}},
            "next": {"type": "string"}}},
          "ApplicationRule": {"type": "object", "properties": {
            "id": {"type": "string", "readOnly": true},
            "minimum_version": {"type": "string"},
            "registration_version": {"type": "string",
              "description": "Older ones sign in, and register nobody."},
            "blocked_versions": {"type": "array", "items": {"type": "string"}},
            "update_url": {"type": "string"}}},
          "ApplicationRules": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"$ref": "#/components/schemas/ApplicationRule"}},
            "next": {"type": "string"}}},
          "SystemRule": {"type": "object", "properties": {
            "name": {"type": "string", "readOnly": true},
            "minimum_version": {"type": "string"},
            "blocked_versions": {"type": "array", "items": {"type": "string"}}}},
          "SystemRules": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"$ref": "#/components/schemas/SystemRule"}},
            "next": {"type": "string"}}},
          "CustomIdentityProvider": {"type": "object", "required": ["url"], "properties": {
            "id": {"type": "string", "readOnly": true}, "name": {"type": "string"},
            "enabled": {"type": "boolean"}, "url": {"type": "string"},
            "two_step": {"type": "boolean"},
            "attributes": {"type": "array", "items": {"type": "string"}},
            "attempts": {"type": "integer", "minimum": 1, "maximum": 20},
            "expires_in": {"type": "integer", "minimum": 30, "maximum": 86400},
            "timeout": {"type": "integer", "minimum": 1, "maximum": 30}}},
          "CustomIdentityProviders": {"type": "object", "properties": {"items": {
            "type": "array", "items": {"$ref": "#/components/schemas/CustomIdentityProvider"}},
            "next": {"type": "string"}}}
        """
}
