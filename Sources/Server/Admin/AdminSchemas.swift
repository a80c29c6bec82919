// SPDX-License-Identifier: Apache-2.0

/// The shapes of what the Admin API takes and gives, JSON Schema 2020-12.
enum AdminSchemas {
    static let all = "{" + text + "," + rules + "}"

    private static let text = """
          "State": {"type": "object", "additionalProperties": false, "properties": {
            "projects": {"type": ["array", "null"],
              "items": {"$ref": "#/components/schemas/Project"}},
            "administrators": {"type": ["array", "null"],
              "items": {"$ref": "#/components/schemas/AdministratorEntry"}}}},
          "AdministratorEntry": {"type": "object", "required": ["username", "role"],
            "additionalProperties": false, "properties": {
            "username": {"type": "string"},
            "role": {"enum": ["owner", "project_administrator", "developer", "support",
              "auditor"]},
            "project": {"type": "string", "description": "Absent for every project."}}},
          "Project": {"type": "object", "properties": {
            "name": {"type": "string", "pattern": "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"},
            "environment": {"enum": ["development", "production"]},
            "theme": {"type": "object", "properties": {
              "display_name": {"type": "string"}, "logo": {"type": "string"},
              "accent": {"type": "string", "pattern": "^#[0-9A-Fa-f]{6}$"},
              "background": {"type": "string", "pattern": "^#[0-9A-Fa-f]{6}$"}}},
            "policy": {"$ref": "#/components/schemas/TokenPolicy"},
            "webauthn": {"$ref": "#/components/schemas/WebAuthnPolicy"},
            "associated_apps": {"type": "object",
              "description": "Apps of Apple's systems, by service.", "properties": {
              "webcredentials": {"type": "array", "items": {"type": "string"}},
              "authsrv": {"type": "array", "items": {"type": "string"}}}},
            "registration": {"type": "object", "description": "App installations.",
              "properties": {
              "methods": {"type": "array", "items": {"type": "string"}},
              "test_keys_in_production": {"type": "boolean"},
              "federated_deregistration": {"type": "boolean"}}},
            "platform_sso": {"$ref": "#/components/schemas/PlatformSSOPolicy"},
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
            "audience": {"type": "string"}, "dpop_bound_access_tokens": {"type": "boolean"},
            "exchange_audiences": {"type": "array", "items": {"type": "string"}},
            "disabled": {"type": "boolean"}}},
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
          "IdentityProvider": {"type": "object",
            "description": "Somebody else's identity provider, whose people may sign in here.",
            "required": ["kind", "client_id"], "properties": {
            "identifier": {"type": "string", "readOnly": true,
              "pattern": "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"},
            "kind": {"enum": ["oidc", "oauth"], "description": "Never changes."},
            "enabled": {"type": "boolean"}, "button_text": {"type": "string"},
            "issuer": {"type": "string"}, "authorization_endpoint": {"type": "string"},
            "token_endpoint": {"type": "string"}, "userinfo_endpoint": {"type": "string"},
            "jwks_uri": {"type": "string"}, "client_id": {"type": "string"},
            "client_secret": {"type": "string", "writeOnly": true},
            "token_endpoint_auth_method": {"enum": ["client_secret_basic",
              "client_secret_post", "private_key_jwt", "none"]},
            "scopes": {"type": "array", "items": {"type": "string"}},
            "acr_values": {"type": "array", "items": {"type": "string"}},
            "claims": {"type": "object", "additionalProperties": {"type": "string"},
              "description": "Our claim names, and theirs."},
            "acr": {"type": "object", "additionalProperties": {"type": "string"},
              "description": "Their acr, and what it stands for here."},
            "create_people": {"type": "boolean"}, "trust_email": {"type": "boolean"},
            "link_only": {"type": "boolean"},
            "redirect_uri": {"type": "string", "readOnly": true}}},
          "IdentityProviders": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"$ref": "#/components/schemas/IdentityProvider"}}}},
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
          "EntitlementSequence": {"type": "object", "required": ["steps"], "properties": {
            "name": {"type": "string", "readOnly": true},
            "steps": {"type": "array", "minItems": 1, "items": {"type": "object",
              "required": ["set"], "properties": {"set": {"type": "string"},
              "duration": {"type": "integer", "minimum": 1,
                "description": "Seconds; absent for ever, in the last step."}}}}}},
          "EntitlementSequences": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"$ref": "#/components/schemas/EntitlementSequence"}}}},
          "ExpendableChange": {"type": "object", "required": ["request_id", "amounts"],
            "properties": {"request_id": {"type": "string", "format": "uuid"},
            "amounts": {"type": "object", "description": "Below zero for what is taken.",
              "additionalProperties": {"type": "integer"}}}},
          "Expendables": {"type": "object", "properties": {"remaining": {"type": "object",
            "additionalProperties": {"type": "integer"}}}},
          "NewEntitlements": {"type": "object", "properties": {"set": {"type": "string"},
            "sequence": {"type": "string", "description": "In the place of a set."},
            "explicit": {"$ref": "#/components/schemas/Entitlements"}}},
          "PersonalEntitlements": {"type": "object", "properties": {"set": {"type": "string"},
            "sequence": {"type": "object"},
            "expendable": {"type": "object", "additionalProperties": {"type": "integer"}},
            "explicit": {"$ref": "#/components/schemas/Entitlements"},
            "effective": {"$ref": "#/components/schemas/Entitlements"}}},
          "ManyPeople": {"type": "object", "description": "By name, or all that a filter finds.",
            "additionalProperties": false, "properties": {
            "people": {"type": "array", "minItems": 1, "maxItems": 200,
              "items": {"type": "string"}, "description": "User names or `sub`s."},
            "filter": {"type": "object", "additionalProperties": false, "properties": {
              "search": {"type": "string", "description": "How user names begin."},
              "set": {"type": "string", "description": "Who has this set; empty for none."}}},
            "dry_run": {"type": "boolean"}, "cursor": {"type": "string"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 200}}},
          "ManyResults": {"type": "object", "properties": {
            "items": {"type": "array", "items": {"type": "object", "properties": {
              "number": {"type": "integer"}, "name": {"type": "string"},
              "sub": {"type": "string"},
              "outcome": {"enum": ["changed", "unchanged", "unknown"]},
              "set_before": {"type": "string"}, "sequence_before": {"type": "string"}}}},
            "changed": {"type": "integer"},
            "next": {"type": "string", "description": "Absent after the last batch."}}},
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
            "alt_security_identities": {"type": "array", "items": {"type": "string"}},
            "disabled": {"type": "boolean"},
            "credentials": {"type": "array", "readOnly": true, "items": {"type": "object"}},
            "sessions": {"type": "array", "readOnly": true, "items": {"type": "object"}},
            "devices": {"type": "array", "readOnly": true,
              "items": {"$ref": "#/components/schemas/Device"}},
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
            "compliance": {"enum": ["compliant", "noncompliant"]},
            "compliance_until": {"type": "string"},
            "compliance_counts": {"type": "boolean",
              "description": "Whether what was reported still counts."},
            "keys": {"type": "array", "items": {"type": "object"}},
            "users": {"type": "array", "items": {"type": "object"}}}},
          "DeviceCompliance": {"type": "object", "required": ["state"], "properties": {
            "state": {"enum": ["compliant", "noncompliant", "unknown"]},
            "lifetime": {"type": "integer", "minimum": 60, "maximum": 31622400}}},
          "RegistrationToken": {"type": "object", "properties": {
            "id": {"type": "string", "readOnly": true},
            "token": {"type": "string", "readOnly": true, "description": "Once, when made."},
            "label": {"type": "string"},
            "serial_number": {"type": "string", "description": "Absent for any machine."},
            "owner": {"type": "string", "description": "Who is responsible for it."},
            "maximum_uses": {"type": "integer", "minimum": 1},
            "lifetime": {"type": "integer", "minimum": 60, "writeOnly": true},
            "state": {"enum": ["active", "spent", "expired", "revoked"], "readOnly": true},
            "uses": {"type": "integer", "readOnly": true},
            "created_at": {"type": "string", "readOnly": true},
            "expires_at": {"type": "string", "readOnly": true}}},
          "Administrator": {"type": "object", "required": ["role"], "properties": {
            "username": {"type": "string", "readOnly": true},
            "sub": {"type": "string", "readOnly": true},
            "project": {"type": "string", "description": "Absent for every project."},
            "role": {"enum": ["owner", "project_administrator", "developer", "support",
              "auditor"]},
            "created_at": {"type": "string", "readOnly": true}}},
          "APIToken": {"type": "object", "required": ["name", "role"], "properties": {
            "id": {"type": "string", "readOnly": true},
            "token": {"type": "string", "readOnly": true, "description": "Once, when made."},
            "name": {"type": "string", "description": "What it is for."},
            "role": {"enum": ["project_administrator", "developer", "support", "auditor"]},
            "lifetime": {"type": "integer", "minimum": 3600, "maximum": 31622400,
              "writeOnly": true, "description": "Seconds; 90 days when absent."},
            "state": {"enum": ["active", "expired", "revoked"], "readOnly": true},
            "maker": {"type": "string", "readOnly": true},
            "maker_left": {"type": "boolean", "readOnly": true,
              "description": "Whether its maker could not make it any more."},
            "created_at": {"type": "string", "readOnly": true},
            "expires_at": {"type": "string", "readOnly": true},
            "last_used_at": {"type": "string", "readOnly": true}}},
          "Belongings": {"type": "object", "properties": {"items": {"type": "array", "items": {
            "type": "object", "properties": {
              "kind": {"enum": ["api-token", "test-key", "issuer-key", "signing-fingerprint",
                "registration-token"]},
              "project": {"type": "string"}, "id": {"type": "string"},
              "name": {"type": "string"}}}}, "next": {"type": "string"}}},
          "ReRegistration": {"type": "object", "properties": {
            "lifetime": {"type": "integer", "minimum": 300, "maximum": 604800,
              "description": "Seconds; a day when absent."}}},
          "ReRegistrationLink": {"type": "object", "properties": {
            "url": {"type": "string"}, "expires_at": {"type": "string"}}},
          "Changes": {"type": "object", "properties": {"changes": {"type": "array", "items": {
            "type": "object", "properties": {
              "kind": {"enum": ["project", "client", "issuer-key", "entitlement-set",
                "entitlement-sequence", "identity-provider", "person", "administrator"]},
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
          "EncryptionKeys": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"type": "object", "properties": {
              "id": {"type": "string"}, "kid": {"type": "string"},
              "state": {"enum": ["active", "retiring"]}, "created_at": {"type": "string"}}}}}},
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
        """
}
