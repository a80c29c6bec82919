// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderAdministration
import ProviderSettings

/// The shapes of what the Admin API takes and gives, JSON Schema 2020-12.
///
/// Settings are not written here: their schemas follow from the tables that parse them.
enum AdminSchemas {
    static let all = JSONValue.object(document).text

    private static let document: JSONObject = {
        let written = try? JSONParser.parseObject(
            Array("{\(text)}".utf8), maximumBytes: 65_536)
        var schemas = written ?? JSONObject()
        for group in ProjectSettingsGroup.all { add(group, to: &schemas) }
        for list in ProjectList.all { add(list, to: &schemas) }
        let tables = [
            ("Registration", StateKey.registration), ("Client", StateKey.clientSettings),
            ("IssuerKey", StateKey.issuerKeySettings), ("Person", StateKey.personSettings),
            ("IdentityProvider", StateKey.upstreamSettings),
        ]
        for (name, keys) in tables { add(keys, to: name, of: &schemas) }
        return schemas
    }()

    private static func add(_ group: ProjectSettingsGroup, to schemas: inout JSONObject) {
        var properties = JSONObject()
        for secret in group.secrets {
            var schema = secret.schema(isDocument: false)
            schema["writeOnly"] = true
            properties[secret.name] = .object(schema)
            properties["has_\(secret.name)"] = ["type": "boolean", "readOnly": true]
        }
        schemas[group.schema] = [
            "description": .string(group.summary), "properties": .object(properties),
        ]
        add(group.keys, to: group.schema, of: &schemas)
    }

    private static func add(_ list: ProjectList, to schemas: inout JSONObject) {
        schemas[list.schema] = ["properties": [list.key: ["type": "string", "readOnly": true]]]
        add(list.keys.filter { $0.name != list.key }, to: list.schema, of: &schemas)
        let reference: JSONValue = ["$ref": .string("#/components/schemas/\(list.schema)")]
        schemas[list.schema + "s"] = [
            "type": "object",
            "properties": [
                "items": ["type": "array", "items": reference], "next": ["type": "string"],
            ],
        ]
    }

    /// Adds the properties of a table. Those that the schema has already stay.
    private static func add(
        _ keys: [StateKey], to name: String, of schemas: inout JSONObject
    ) {
        let table = StateKey.schema(of: keys, isDocument: false)
        var schema = schemas[name]?.object ?? JSONObject()
        var properties = schema["properties"]?.object ?? JSONObject()
        for member in table["properties"]?.object?.members ?? []
        where properties[member.name] == nil { properties[member.name] = member.value }
        schema["type"] = "object"
        schema["properties"] = .object(properties)
        let needed = (schema["required"]?.array ?? []) + (table["required"]?.array ?? [])
        if !needed.isEmpty { schema["required"] = .array(needed) }
        schemas[name] = .object(schema)
    }

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
            "test_people": {"type": "integer", "readOnly": true, "description":
              "People of test keys, of one project: they are refused in production."},
            "theme": {"$ref": "#/components/schemas/Theme"},
            "policy": {"$ref": "#/components/schemas/TokenPolicy"},
            "webauthn": {"$ref": "#/components/schemas/WebAuthnPolicy"},
            "associated_apps": {"$ref": "#/components/schemas/AssociatedApps"},
            "registration": {"$ref": "#/components/schemas/Registration"},
            "platform_sso": {"$ref": "#/components/schemas/PlatformSSOPolicy"},
            "clients": {"type": "array", "items": {"$ref": "#/components/schemas/Client"}},
            "issuer_keys": {"type": "array", "items": {"$ref": "#/components/schemas/IssuerKey"}},
            "users": {"type": "array", "items": {"$ref": "#/components/schemas/Person"}}}},
          "Client": {"description": "RFC 7591 names.", "properties": {
            "client_id": {"type": "string"},
            "client_secret": {"type": "string", "writeOnly": true}}},
          "IssuerKey": {"description": "A key whose tokens are accepted for registration.",
            "required": ["issuer", "kid"], "properties": {
            "id": {"type": "string", "readOnly": true}, "issuer": {"type": "string"},
            "kid": {"type": "string"}}},
          "IssuerKeys": {"type": "object", "properties": {
            "items": {"type": "array", "items": {"$ref": "#/components/schemas/IssuerKey"}}}},
          "IdentityProvider": {
            "description": "An upstream identity provider whose people may sign in here.",
            "required": ["kind"], "properties": {
            "identifier": {"type": "string", "readOnly": true,
              "pattern": "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"},
            "kind": {"enum": ["oidc", "oauth"], "description": "Never changes."},
            "client_secret": {"type": "string", "writeOnly": true},
            "redirect_uri": {"type": "string", "readOnly": true},
            "post_logout_redirect_uri": {"type": "string", "readOnly": true},
            "logout_uri": {"type": "string", "readOnly": true},
            "federation_jwks_uri": {"type": "string", "readOnly": true}}},
          "IdentityProviders": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"$ref": "#/components/schemas/IdentityProvider"}}}},
          "NewTestKey": {"type": "object", "additionalProperties": false, "properties": {
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
          "EntitlementSet": {"type": "object", "additionalProperties": false,
            "required": ["entitlements"], "properties": {
            "name": {"type": "string", "readOnly": true},
            "entitlements": {"$ref": "#/components/schemas/Entitlements"}}},
          "EntitlementSets": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"$ref": "#/components/schemas/EntitlementSet"}}}},
          "Entitlements": {"type": "object", "additionalProperties": {"oneOf": [
            {"type": "boolean"}, {"type": "integer", "minimum": 0}]}},
          "EntitlementSequence": {"type": "object", "additionalProperties": false,
            "required": ["steps"], "properties": {
            "name": {"type": "string", "readOnly": true},
            "steps": {"type": "array", "minItems": 1, "items": {"type": "object",
              "required": ["set"], "properties": {"set": {"type": "string"},
              "duration": {"type": "integer", "minimum": 1,
                "description": "Seconds; absent in the last step, which has no end."}}}}}},
          "EntitlementSequences": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"$ref": "#/components/schemas/EntitlementSequence"}}}},
          "ExpendableChange": {"type": "object", "additionalProperties": false,
            "required": ["request_id", "amounts"],
            "properties": {"request_id": {"type": "string", "format": "uuid"},
            "amounts": {"type": "object", "description": "Negative to deduct.",
              "additionalProperties": {"type": "integer"}}}},
          "Expendables": {"type": "object", "properties": {"remaining": {"type": "object",
            "additionalProperties": {"type": "integer"}}}},
          "NewEntitlements": {"type": "object", "additionalProperties": false,
            "properties": {"set": {"type": "string"},
            "sequence": {"type": ["string", "object"],
              "description": "Instead of a set: its name, or the object that GET returns."},
            "explicit": {"$ref": "#/components/schemas/Entitlements"},
            "effective": {"type": "object", "readOnly": true},
            "expendable": {"type": "object", "readOnly": true}}},
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
          "TestSweep": {"type": "object", "additionalProperties": false, "properties": {
            "older_than": {"type": "integer", "minimum": 0, "description": "Seconds."}}},
          "TestSwept": {"type": "object", "properties": {"removed": {"type": "integer"}}},
          "Person": {"type": "object", "description": "OpenID Connect claim names.",
            "properties": {
            "username": {"type": "string"}, "sub": {"type": "string", "readOnly": true},
            "password": {"type": "string", "writeOnly": true},
            "password_must_change": {"type": "boolean", "writeOnly": true, "description":
              "Whether the person must replace password at the first sign-in."},
            "credentials": {"type": "array", "readOnly": true, "items": {"type": "object"}},
            "sessions": {"type": "array", "readOnly": true, "items": {"type": "object"}},
            "devices": {"type": "array", "readOnly": true,
              "items": {"$ref": "#/components/schemas/Device"}},
            "realm": {"type": "string", "readOnly": true},
            "preferred_username": {"type": "string", "readOnly": true,
              "description": "The name for applications, if it differs from the username."},
            "invited_until": {"type": "string", "readOnly": true,
              "description": "Of a pending invitation; may be expired."},
            "origin": {"type": "string", "readOnly": true},
            "attributes": {"type": "object", "maxProperties": 50,
              "description": "For clients' own claims (`from_attribute`).",
              "additionalProperties": {"oneOf": [{"type": "string"}, {"type": "integer"},
                {"type": "boolean"}, {"type": "array", "items": {"type": "string"}}]}},
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
          "DeviceCompliance": {"type": "object", "additionalProperties": false,
            "required": ["state"], "properties": {
            "state": {"enum": ["compliant", "noncompliant", "unknown"]},
            "lifetime": {"type": "integer", "minimum": 60, "maximum": 31622400}}},
          "RegistrationToken": {"type": "object", "properties": {
            "id": {"type": "string", "readOnly": true},
            "token": {"type": "string", "readOnly": true, "description": "Once, when made."},
            "label": {"type": "string"},
            "serial_number": {"type": "string", "description": "Absent for any device."},
            "owner": {"type": "string", "description": "Who is responsible for it."},
            "maximum_uses": {"type": "integer", "minimum": 1},
            "lifetime": {"type": "integer", "minimum": 60, "writeOnly": true},
            "state": {"enum": ["active", "spent", "expired", "revoked"], "readOnly": true},
            "uses": {"type": "integer", "readOnly": true},
            "created_at": {"type": "string", "readOnly": true},
            "expires_at": {"type": "string", "readOnly": true}}},
          "Administrator": {"type": "object", "additionalProperties": false,
            "required": ["role"], "properties": {
            "username": {"type": "string", "readOnly": true},
            "sub": {"type": "string", "readOnly": true},
            "project": {"type": "string", "description": "Absent for every project."},
            "role": {"enum": ["owner", "project_administrator", "developer", "support",
              "auditor"]},
            "created_at": {"type": "string", "readOnly": true}}},
          "APITokenMaker": {"type": "object", "additionalProperties": false,
            "properties": {"username": {"type": "string",
            "description": "Of an administrator; absent for the operator. Administrators name themselves."},
            "keep_secret": {"type": "boolean", "description": "The token stays as it is."}}},
          "APIToken": {"type": "object", "required": ["name", "role"], "properties": {
            "id": {"type": "string", "readOnly": true},
            "token": {"type": "string", "readOnly": true, "description": "Once, when it is new."},
            "name": {"type": "string", "description": "What it is for."},
            "role": {"enum": ["project_administrator", "developer", "support", "auditor"]},
            "lifetime": {"type": "integer", "minimum": 3600, "maximum": 31622400,
              "writeOnly": true, "description": "Seconds; 90 days when absent."},
            "state": {"enum": ["active", "expired", "revoked"], "readOnly": true},
            "maker": {"type": "string", "readOnly": true},
            "maker_left": {"type": "boolean", "readOnly": true,
              "description": "Whether its maker could not make it any more: it does less, or nothing."},
            "created_at": {"type": "string", "readOnly": true},
            "expires_at": {"type": "string", "readOnly": true},
            "last_used_at": {"type": "string", "readOnly": true}}},
          "Belongings": {"type": "object", "properties": {"items": {"type": "array", "items": {
            "type": "object", "properties": {
              "kind": {"enum": ["api-token", "test-key", "issuer-key", "signing-fingerprint",
                "registration-token"]},
              "project": {"type": "string"}, "id": {"type": "string"},
              "name": {"type": "string"}}}}, "next": {"type": "string"}}},
          "AwaitedApprovals": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"type": "object", "properties": {
              "id": {"type": "string"}, "username": {"type": "string"}, "sub": {"type": "string"},
              "kind": {"enum": ["password", "public_key", "recovery_code", "federated_identity"]},
              "label": {"type": "string"}, "created_at": {"type": "string"}}}},
            "next": {"type": "string"}}},
          "GivenApproval": {"type": "object", "additionalProperties": false,
            "required": ["credentials"], "properties": {
            "credentials": {"type": "array", "minItems": 1, "items": {"type": "string"},
              "description": "The id of each credential that waits, as it was listed."}}},
          "ReRegistration": {"type": "object", "additionalProperties": false, "properties": {
            "lifetime": {"type": "integer", "minimum": 300, "maximum": 604800,
              "description": "Seconds; a day when absent."}}},
          "Invite": {"type": "object", "additionalProperties": false, "properties": {
            "lifetime": {"type": "integer", "minimum": 300, "maximum": 2592000,
              "description": "Seconds; a week when absent."},
            "mail": {"type": "boolean",
              "description": "Mail the link, when there is an address and a mail server; default."
            }}},
          "Invitation": {"type": "object", "properties": {
            "expires_at": {"type": "string"},
            "mailed_to": {"type": "string"},
            "url": {"type": "string", "description": "Only when it was not mailed."},
            "not_mailed": {"enum": ["no_mail_server", "no_address", "mail_failed"],
              "description": "Why the link was not mailed, if it was to be."}}},
          "ReRegistrationLink": {"type": "object", "properties": {
            "url": {"type": "string"}, "expires_at": {"type": "string"}}},
          "Changes": {"type": "object", "properties": {"changes": {"type": "array", "items": {
            "type": "object", "properties": {
              "kind": {"enum": ["project", "client", "issuer-key", "entitlement-set",
                "entitlement-sequence", "identity-provider", "person", "administrator"]},
              "action": {"enum": ["create", "update", "unchanged"]},
              "project": {"type": "string"}, "name": {"type": "string"},
              "fields": {"type": "array", "items": {"type": "object", "properties": {
                "name": {"type": "string"}, "from": {}, "to": {}}}},
              "warnings": {"type": "array", "items": {"type": "string"},
                "description": "What follows from it besides."}}}}}},
          "Approval": {"type": "object", "properties": {
            "id": {"type": "string"},
            "state": {"enum": ["pending", "approved", "denied", "expired"]},
            "client_id": {"type": "string"}, "client_name": {"type": "string"},
            "message": {"type": "string"}, "has_transaction_text": {"type": "boolean"},
            "installation": {"type": "string"}, "created_at": {"type": "string"},
            "expires_at": {"type": "string"}}},
          "Approvals": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"$ref": "#/components/schemas/Approval"}}}},
          "TestApproval": {"type": "object", "additionalProperties": false,
            "required": ["client_id"], "properties": {
            "client_id": {"type": "string", "description": "In whose name they are asked."}}},
          "Page": {"type": "object", "properties": {
            "items": {"type": "array", "items": {"type": "object"}},
            "next": {"type": "string", "description": "Absent on the last page."}}},
          "Keys": {"type": "object", "properties": {"items": {"type": "array", "items": {
            "type": "object", "properties": {"kid": {"type": "string"},
              "algorithm": {"type": "string"},
              "state": {"enum": ["next", "active", "retiring"]},
              "created_at": {"type": "string"}, "changed_at": {"type": "string"},
              "can_sign_from": {"type": "string", "description":
                "Of a next key: the time from which relying parties know it."}}}}}},
          "EncryptionKeys": {"type": "object", "properties": {"items": {"type": "array",
            "items": {"type": "object", "properties": {
              "id": {"type": "string"}, "kid": {"type": "string"},
              "state": {"enum": ["active", "retiring"]}, "created_at": {"type": "string"}}}}}},
          "KeyRotation": {"type": "object", "additionalProperties": false, "properties": {
            "algorithm": {"enum": ["ES256", "RS256"]},
            "at_once": {"type": "boolean", "description":
              "Also before can_sign_from, when relying parties may refuse new tokens."}}},
          "StoreStatus": {"type": "object"},
          "BackupName": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string", "pattern": "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$"},
            "replace": {"type": "boolean",
              "description": "Whether a backup of that name is replaced; otherwise 409."}}},
          "Backup": {"type": "object", "properties": {"path": {"type": "string"},
            "host": {"type": "string", "description": "The host that has the file."}}},
          "Sweep": {"type": "object", "properties": {
            "deleted": {"type": "integer"}, "lag_seconds": {"type": "integer"}}},
          "SetUpLink": {"type": "object", "properties": {
            "url": {"type": "string"}, "expires_at": {"type": "string", "format": "date-time"}}},
          "Token": {"type": "object", "properties": {"token": {"type": "string"}}},
          "Problem": {"type": "object", "description": "RFC 9457.", "properties": {
            "type": {"type": "string"}, "title": {"type": "string"},
            "status": {"type": "integer"}, "code": {"type": "string"},
            "detail": {"type": "string"}, "request_id": {"type": "string"},
            "errors": {"type": "array", "items": {"type": "object", "properties": {
              "path": {"type": "string"}, "message": {"type": "string"},
              "code": {"type": "string"}, "parameters": {"type": "object",
                "additionalProperties": {"type": "string"}}}}}}}
        """
}
