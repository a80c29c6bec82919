// SPDX-License-Identifier: Apache-2.0

/// The shapes of what `/entitlements` takes and gives, JSON Schema 2020-12.
enum EntitlementSchemas {
    static let text = """
        {
          "Entitled": {"type": "object", "required": ["effective", "expendable"], "properties": {
            "set": {"type": "string", "description": "That they have now."},
            "sequence": {"type": "object", "required": ["name", "started_at"], "properties": {
              "name": {"type": "string"}, "started_at": {"type": "string"},
              "changes_at": {"type": "string", "description": "Absent when the set stays."}}},
            "effective": {"type": "object", "additionalProperties": {"oneOf": [
              {"type": "boolean"}, {"type": "integer", "minimum": 0}]}},
            "expendable": {"type": "object", "description": "What is left.",
              "additionalProperties": {"type": "integer", "minimum": 0}}}},
          "Consumption": {"type": "object", "required": ["request_id", "name"], "properties": {
            "request_id": {"type": "string", "format": "uuid",
              "description": "Chosen for this use; the same in every repetition."},
            "name": {"type": "string"}, "amount": {"type": "integer", "minimum": 1}}},
          "Consumed": {"type": "object",
            "required": ["request_id", "name", "amount", "remaining"], "properties": {
            "request_id": {"type": "string", "format": "uuid"}, "name": {"type": "string"},
            "amount": {"type": "integer"}, "remaining": {"type": "integer"}}},
          "Problem": {"type": "object", "description": "RFC 9457.",
            "required": ["status", "code"], "properties": {
            "type": {"type": "string"}, "title": {"type": "string"},
            "status": {"type": "integer"}, "code": {"type": "string"},
            "detail": {"type": "string"}, "request_id": {"type": "string"}}}
        }
        """
}
