// SPDX-License-Identifier: Apache-2.0

extension RegistrationSchemas {
    /// The shapes of `/registration/approvals`: members of the object of schemas.
    static let approvals = """
          "ApprovalCode": {"type": "object", "required": ["code"], "properties": {
            "code": {"type": "string", "maxLength": 32}}},
          "ApprovalAnswer": {"type": "object", "required": ["answer"], "properties": {
            "answer": {"type": "string", "maxLength": 8192,
              "description": "Compact JWS of the installation's key, typ gatehouse-approval+jwt."}}},
          "Approval": {"type": "object", "required": ["id", "client_id", "client_name", "message",
            "transaction_text", "nonce", "created_at", "expires_at"], "properties": {
            "id": {"type": "string", "format": "uuid"}, "client_id": {"type": "string"},
            "client_name": {"type": "string"}, "message": {"type": "string"},
            "transaction_text": {"type": "string"}, "nonce": {"type": "string"},
            "created_at": {"type": "string"}, "expires_at": {"type": "string"}}},
          "Approvals": {"type": "object", "required": ["items"], "properties": {
            "items": {"type": "array", "items": {"$ref": "#/components/schemas/Approval"}}}},
          "NewApprovalEnrollment": {"type": "object", "properties": {
            "push_token": {"type": ["string", "null"], "minLength": 1, "maxLength": 4096,
              "description": "Absent or null: nothing is pushed."}}},
          "ApprovalEnrollment": {"type": "object", "required": ["enrolled_at", "has_push_token"],
            "properties": {
            "enrolled_at": {"type": "string"}, "has_push_token": {"type": "boolean"}}},
        """
}
