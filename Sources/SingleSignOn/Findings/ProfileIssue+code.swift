// SPDX-License-Identifier: Apache-2.0

extension ProfileIssue {
    /// The stable identifiers of all findings.
    package enum Code: String, Sendable, CaseIterable {
        // The table of keys
        case unknownKey = "unknown_key"
        case misspeltKey = "misspelt_key"
        case misplacedKey = "misplaced_key"
        case missingKey = "missing_key"
        case wrongType = "wrong_type"
        case outOfRange = "out_of_range"
        case unknownValue = "unknown_value"
        case deprecatedKey = "deprecated_key"
        case newerKey = "newer_key"
        // The envelope
        case notAProfile = "not_a_profile"
        case encryptedProfile = "encrypted_profile"
        case signedProfile = "signed_profile"
        case noPayload = "no_payload"
        case otherPayload = "other_payload"
        case misspeltPayloadType = "misspelt_payload_type"
        case wrongVersion = "wrong_version"
        case malformedUUID = "malformed_uuid"
        case duplicateUUID = "duplicate_uuid"
        case duplicateIdentifier = "duplicate_identifier"
        case removalInPast = "removal_in_past"
        // The extension
        case malformedIdentifier = "malformed_identifier"
        case malformedTeam = "malformed_team"
        case missingAddresses = "missing_addresses"
        case ignoredKey = "ignored_key"
        case malformedURL = "malformed_url"
        case urlQuery = "url_query"
        case urlNotSecure = "url_not_secure"
        case duplicateURL = "duplicate_url"
        case malformedHost = "malformed_host"
        case duplicateHost = "duplicate_host"
        case duplicateEntry = "duplicate_entry"
        // Platform SSO
        case needsRedirect = "needs_redirect"
        case needsMethod = "needs_authentication_method"
        case conflictingMethod = "conflicting_authentication_method"
        case needsSharedKeys = "needs_shared_device_keys"
        case deviceChannelOnly = "device_channel_only"
        case needsPasswordOrSmartCard = "needs_password_or_smart_card"
        case needsMapping = "needs_token_to_user_mapping"
        case needsAllowList = "needs_web_login_allow_list"
        case needsAccessKeySettings = "needs_access_key_settings"
        case needsGroups = "needs_groups"
        case tooManyGroups = "too_many_groups"
        case needsGracePeriod = "needs_grace_period"
        case unusedGracePeriod = "unused_grace_period"
        case shortGracePeriod = "short_grace_period"
        case conflictingPolicies = "conflicting_policies"
        case policyWithoutEffect = "policy_without_effect"
        case needsTemporaryMode = "needs_temporary_mode"
        case severalPlatformSSO = "several_platform_sso"
        case missingReference = "missing_reference"
        // Kerberos
        case wrongKerberosHead = "wrong_kerberos_head"
        case realmCase = "realm_case"
        case malformedKDC = "malformed_kdc"
        case noWayToSignIn = "no_way_to_sign_in"
        case severalDefaultRealms = "several_default_realms"
        // Associated domains
        case malformedDomain = "malformed_associated_domain"
        case missingDomain = "missing_associated_domain"
        // Declarations
        case malformedComposedIdentifier = "malformed_composed_identifier"
        case wrongDeclarationType = "wrong_declaration_type"
    }
}
