// SPDX-License-Identifier: Apache-2.0

/// The shapes of what the Admin API takes and gives, JSON Schema 2020-12.
enum AdminSchemas {
    static let text = """
        {
          "State": {"type": "object", "additionalProperties": false, "properties": {
            "projects": {"type": "array", "items": {"$ref": "#/components/schemas/Project"}}}},
          "Project": {"type": "object", "properties": {
            "name": {"type": "string", "pattern": "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"},
            "environment": {"enum": ["development", "production"]},
            "theme": {"type": "object", "properties": {
              "display_name": {"type": "string"}, "logo": {"type": "string"},
              "accent": {"type": "string", "pattern": "^#[0-9A-Fa-f]{6}$"},
              "background": {"type": "string", "pattern": "^#[0-9A-Fa-f]{6}$"}}},
            "policy": {"type": "object", "description": "Life times in seconds, and switches.",
              "properties": {
              "code_lifetime": {"type": "integer"}, "access_token_lifetime": {"type": "integer"},
              "id_token_lifetime": {"type": "integer"},
              "refresh_token_idle_lifetime": {"type": "integer"},
              "refresh_token_lifetime": {"type": "integer"},
              "refresh_grace": {"type": "integer"}, "session_lifetime": {"type": "integer"},
              "session_idle_lifetime": {"type": "integer"},
              "device_code_lifetime": {"type": "integer"},
              "device_poll_interval": {"type": "integer"},
              "self_registration": {"type": "boolean"}}},
            "webauthn": {"type": "object", "description": "Passkeys and security keys.",
              "properties": {
              "attestation": {"enum": ["none", "indirect", "direct", "enterprise"]},
              "attestation_trust": {"enum": ["none", "any", "roots", "metadata"]},
              "trust_roots": {"type": "array", "items": {"type": "string"}},
              "allowed_aaguids": {"type": "array", "items": {"type": "string"}},
              "denied_aaguids": {"type": "array", "items": {"type": "string"}},
              "user_verification": {"enum": ["required", "preferred", "discouraged"]},
              "sign_counter": {"enum": ["refuse", "report"]},
              "second_factor_before_first_key": {"type": "boolean"},
              "related_origins": {"type": "array", "items": {"type": "string"}},
              "top_origins": {"type": "array", "items": {"type": "string"}},
              "algorithms": {"type": "array", "items": {"type": "string"}},
              "rs1": {"type": "boolean"}, "backup_eligible": {"type": "boolean"},
              "hardware_evidence": {"enum": ["attested", "claimed"]}}},
            "associated_apps": {"type": "object",
              "description": "Apps of Apple's systems, by service.", "properties": {
              "webcredentials": {"type": "array", "items": {"type": "string"}},
              "authsrv": {"type": "array", "items": {"type": "string"}}}},
            "registration": {"type": "object", "description": "App installations.",
              "properties": {
              "methods": {"type": "array", "items": {"type": "string"}},
              "test_keys_in_production": {"type": "boolean"},
              "federated_deregistration": {"type": "boolean"}}},
            "platform_sso": {"type": "object", "description": "Machines that sign people in.",
              "properties": {
              "enabled": {"type": "boolean"}, "client_id": {"type": "string"},
              "audience": {"type": "string"},
              "allowed_methods": {"type": "array", "items": {"enum": ["password", "user_key"]}},
              "encrypted_password": {"type": "boolean"},
              "login_frequency": {"type": "integer", "minimum": 3600},
              "registration_by_people": {"type": "boolean"},
              "unlock_key_lifetime": {"type": "integer", "minimum": 86400}}},
            "clients": {"type": "array", "items": {"$ref": "#/components/schemas/Client"}},
            "issuer_keys": {"type": "array", "items": {"$ref": "#/components/schemas/IssuerKey"}},
            "users": {"type": "array", "items": {"$ref": "#/components/schemas/Person"}}}},
          "Client": {"type": "object", "description": "RFC 7591 names.", "properties": {
            "client_id": {"type": "string"}, "client_name": {"type": "string"},
            "client_secret": {"type": "string", "writeOnly": true},
            "client_uri": {"type": "string"}, "logo_uri": {"type": "string"},
            "policy_uri": {"type": "string"}, "tos_uri": {"type": "string"},
            "token_endpoint_auth_method": {"enum": ["none", "client_secret_basic",
              "client_secret_post", "private_key_jwt"]},
            "grant_types": {"type": "array", "items": {"type": "string"}},
            "response_types": {"type": "array", "items": {"type": "string"}},
            "redirect_uris": {"type": "array", "items": {"type": "string"}},
            "post_logout_redirect_uris": {"type": "array", "items": {"type": "string"}},
            "scope": {"type": "string"}, "jwks": {"type": "object"},
            "id_token_signed_response_alg": {"enum": ["ES256", "RS256"]},
            "first_party": {"type": "boolean"}, "default_max_age": {"type": "integer"},
            "audience": {"type": "string"}, "disabled": {"type": "boolean"}}},
          "IssuerKey": {"type": "object", "description": "Whose tokens vouch for people.",
            "required": ["issuer", "kid", "alg", "public_key"], "properties": {
            "id": {"type": "string", "readOnly": true}, "issuer": {"type": "string"},
            "kid": {"type": "string"}, "alg": {"enum": ["RS256", "ES256", "EdDSA", "PS256"]},
            "public_key": {"description": "A JWK or PEM.", "oneOf": [
              {"type": "object"}, {"type": "string"}]},
            "audience": {"type": "string"}, "milliseconds": {"type": "boolean"},
            "attributes": {"type": "array", "items": {"type": "string"}},
            "name": {"type": "string"}, "owner": {"type": "string"}}},
          "IssuerKeys": {"type": "object", "properties": {
            "items": {"type": "array", "items": {"$ref": "#/components/schemas/IssuerKey"}}}},
          "NewTestKey": {"type": "object", "properties": {
            "name": {"type": "string", "description": "What it is for."},
            "owner": {"type": "string", "description": "Who is responsible for it."},
            "alg": {"enum": ["RS256", "ES256"]}}},
          "TestKey": {"type": "object", "properties": {
            "key_id": {"type": "string"}, "alg": {"type": "string"}, "name": {"type": "string"},
            "owner": {"type": "string"}, "issuer": {"type": "string"},
            "audience": {"type": "string"}, "created_at": {"type": "string"},
            "private_key": {"type": "string", "description": "PEM; never shown again."}}},
          "TestKeys": {"type": "object", "properties": {
            "items": {"type": "array", "items": {"$ref": "#/components/schemas/TestKey"}}}},
          "EntitlementSet": {"type": "object", "required": ["entitlements"], "properties": {
            "name": {"type": "string", "readOnly": true},
            "entitlements": {"$ref": "#/components/schemas/Entitlements"}}},
          "EntitlementSets": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"$ref": "#/components/schemas/EntitlementSet"}}}},
          "Entitlements": {"type": "object", "additionalProperties": {"oneOf": [
            {"type": "boolean"}, {"type": "integer", "minimum": 0}]}},
          "NewEntitlements": {"type": "object", "properties": {"set": {"type": "string"},
            "explicit": {"$ref": "#/components/schemas/Entitlements"}}},
          "PersonalEntitlements": {"type": "object", "properties": {"set": {"type": "string"},
            "explicit": {"$ref": "#/components/schemas/Entitlements"},
            "effective": {"$ref": "#/components/schemas/Entitlements"}}},
          "TestSweep": {"type": "object", "properties": {
            "older_than": {"type": "integer", "minimum": 0, "description": "Seconds."}}},
          "TestSwept": {"type": "object", "properties": {"removed": {"type": "integer"}}},
          "Person": {"type": "object", "description": "OpenID Connect claim names.",
            "properties": {
            "username": {"type": "string"}, "sub": {"type": "string", "readOnly": true},
            "password": {"type": "string", "writeOnly": true},
            "name": {"type": "string"}, "given_name": {"type": "string"},
            "family_name": {"type": "string"}, "email": {"type": "string"},
            "email_verified": {"type": "boolean"}, "phone_number": {"type": "string"},
            "phone_number_verified": {"type": "boolean"},
            "groups": {"type": "array", "items": {"type": "string"}},
            "disabled": {"type": "boolean"},
            "credentials": {"type": "array", "readOnly": true, "items": {"type": "object"}},
            "sessions": {"type": "array", "readOnly": true, "items": {"type": "object"}},
            "realm": {"type": "string", "readOnly": true},
            "origin": {"type": "string", "readOnly": true},
            "attributes": {"type": "object", "readOnly": true},
            "installations": {"type": "array", "readOnly": true, "items": {"type": "object"}}}},
          "Device": {"type": "object", "properties": {
            "id": {"type": "string"}, "state": {"enum": ["active", "revoked"]},
            "host_name": {"type": "string"}, "model": {"type": "string"},
            "serial_number": {"type": "string"}, "udid": {"type": "string"},
            "system_version": {"type": "string"}, "shared_keys": {"type": "boolean"},
            "attestation": {"type": "object"}, "registered_by": {"type": "string"},
            "registered_at": {"type": "string"}, "last_seen_at": {"type": "string"},
            "revoked_at": {"type": "string"},
            "keys": {"type": "array", "items": {"type": "object"}},
            "users": {"type": "array", "items": {"type": "object"}}}},
          "RegistrationToken": {"type": "object", "properties": {
            "id": {"type": "string", "readOnly": true},
            "token": {"type": "string", "readOnly": true, "description": "Once, when made."},
            "label": {"type": "string"},
            "serial_number": {"type": "string", "description": "Absent for any machine."},
            "maximum_uses": {"type": "integer", "minimum": 1},
            "lifetime": {"type": "integer", "minimum": 60, "writeOnly": true},
            "state": {"enum": ["active", "spent", "expired", "revoked"], "readOnly": true},
            "uses": {"type": "integer", "readOnly": true},
            "created_at": {"type": "string", "readOnly": true},
            "expires_at": {"type": "string", "readOnly": true}}},
          "ReRegistration": {"type": "object", "properties": {
            "lifetime": {"type": "integer", "minimum": 300, "maximum": 604800,
              "description": "Seconds; a day when absent."}}},
          "ReRegistrationLink": {"type": "object", "properties": {
            "url": {"type": "string"}, "expires_at": {"type": "string"}}},
          "Changes": {"type": "object", "properties": {"changes": {"type": "array", "items": {
            "type": "object", "properties": {
              "kind": {"enum": ["project", "client", "issuer-key", "person"]},
              "action": {"enum": ["create", "update", "unchanged"]},
              "project": {"type": "string"}, "name": {"type": "string"},
              "fields": {"type": "array", "items": {"type": "object", "properties": {
                "name": {"type": "string"}, "from": {}, "to": {}}}}}}}}},
          "Page": {"type": "object", "properties": {
            "items": {"type": "array", "items": {"type": "object"}},
            "next": {"type": "string", "description": "Absent on the last page."}}},
          "Keys": {"type": "object", "properties": {"items": {"type": "array", "items": {
            "type": "object", "properties": {"kid": {"type": "string"},
              "algorithm": {"type": "string"},
              "state": {"enum": ["next", "active", "retiring"]},
              "created_at": {"type": "string"}, "changed_at": {"type": "string"}}}}}},
          "KeyRotation": {"type": "object", "properties": {
            "algorithm": {"enum": ["ES256", "RS256"]}}},
          "StoreStatus": {"type": "object"},
          "BackupName": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string", "pattern": "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$"}}},
          "Backup": {"type": "object", "properties": {"path": {"type": "string"}}},
          "Sweep": {"type": "object", "properties": {
            "deleted": {"type": "integer"}, "lag_seconds": {"type": "integer"}}},
          "Token": {"type": "object", "properties": {"token": {"type": "string"}}},
          "Problem": {"type": "object", "description": "RFC 9457.", "properties": {
            "type": {"type": "string"}, "title": {"type": "string"},
            "status": {"type": "integer"}, "code": {"type": "string"},
            "detail": {"type": "string"}, "request_id": {"type": "string"},
            "errors": {"type": "array", "items": {"type": "object", "properties": {
              "path": {"type": "string"}, "message": {"type": "string"}}}}}}
        }
        """
}
