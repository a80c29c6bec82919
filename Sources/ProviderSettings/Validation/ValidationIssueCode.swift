// SPDX-License-Identifier: Apache-2.0

/// The messages of validation issues in English, with `{NAME}` for their values. Programs and
/// translations use the names of the cases, so the names must not change.
package enum ValidationIssueCode: String, Sendable, CaseIterable {
    // MARK: All values

    case wrongKind = "must be {wanted}, not {kind}"
    case wordNothing = "empty"
    case wordFlag = "a Boolean (true or false)"
    case wordNumber = "a number"
    case wordText = "a string"
    case wordList = "an array"
    case wordMapping = "an object"
    case wordNamedValues = "an object of names and values"
    case unknownKey = "is not a known key{hint}"
    case didYouMean = "; did you mean \"{name}\"?"
    case notOneOf = "must be one of {choices}{hint}"
    case missing = "is missing"
    case empty = "is empty"
    case ofMember = "{name} {complaint}"
    case ofText = "\"{text}\" {complaint}"
    case ofElement = "row {index}: {complaint}"
    case elementTwice = "row {index} repeats the name \"{name}\""
    case nameTwice = "repeats the name \"{name}\""
    case otherName = "must be \"{name}\", the name in the URL"
    case listFull = "the list already has the maximum of {most} entries"
    case tooManyElements = "has more than {most} elements"
    case notElements = "must be an array of at most {most} elements"
    case notMappings = "must be an array of at most {most} objects"
    case notTexts = "must be an array of strings"
    case notNames = "must be an object with at most {most} members"
    case notShortTexts = "must contain strings of 1 to 255 bytes"
    case verbatim = "{text}"

    // MARK: Numbers and strings

    case notSeconds = "must be a whole number of seconds from {from} to {to}"
    case notAnySeconds = "must be a whole number of seconds, 0 or more"
    case notNumber = "must be a whole number from {from} to {to}"
    case outOfRange = "is out of range"
    case tooLong = "is longer than {most} bytes"
    case notBytes = "must be 1 to {most} bytes long"
    case notOneLine = "must be one line of text without control characters"
    case notVisible = "must have 1 to {most} visible characters"
    case notWord = "must be a single word"
    case notScope = "must be scope values separated by single spaces (ASCII characters only)"
    case notOneScope = "must be a single scope value"
    case notColour = "must be a colour such as #1f6feb"
    case notImage = "must be a URL on this host or a data:image/ URL"
    case notEmailAddress = "must be an email address"
    case notProjectName = "must have 1 to 63 lowercase letters, digits and inner hyphens"
    case notClientID = "must have 1 to 255 printable ASCII characters without spaces"
    case notCertificateName = """
        must start with X509:<SHA1-PUKEY>, X509:<SKI>, X509:<RFC822> or PlatformSSO:, or have the \
        form X509:<I>…<SR>… or X509:<I>…<S>…
        """

    // MARK: URLs

    case fragment = "must not have a fragment (#)"
    case query = "must not have a query (?)"
    case notRedirectURI = """
        must be an absolute URI: https, http on a loopback address, or a private-use scheme such \
        as com.example.app:/callback
        """
    case notWebPage = "must be an absolute http or https URL"
    case notWebTarget = """
        must be an https URL, or an http URL with a loopback address, without a query
        """
    case notHostName = "must be a lowercase host name without scheme and port"
    case notSecureAddress = "must be an https URL, or an http URL on this host"
    case notUpstreamAddress = """
        must be an https URL, or an http URL with a loopback address, without a fragment
        """
    case notHTTPS = "must be an https URL"
    case notUpdateAddress = "must start with https://, market:// or itms-apps://"
    case notOrigin = "must be an origin such as https://login.example.org, without a path"
    case notSecureOrigin = "\"{origin}\" is not a secure web origin"
    case tooManyNames = """
        has {count} different registrable domain labels; browsers accept at most {most}
        """
    case tooManyOrigins = "has {count} elements; at most {most} are published"

    // MARK: Keys and certificates

    case notReadable = "entry {index} is not a valid {thing}; use PEM or DER in Base64"
    case wordCertificate = "certificate"
    case wordCertificateOrKey = "certificate or public key"
    case wordPublicKey = "public key"
    case wordRevocation = "CRL or OCSP response"
    case notKeySet = "must be a JWK Set with 1 to 20 keys: {\"keys\": [{\"kty\": …}]}"
    case privateKey = "contains a private key; use the public key only"
    case notPublicKey = "must be a public key as PEM or JWK: {code}"
    case otherAlgorithm = "does not match the type of the key"
    case notAppleKey = "must be a P-256 private key in the .p8 format of Apple"
    case notPlayKey = "must be 32 bytes in Base64, as shown in the Play Console"
    case notFingerprint = "must be the SHA-256 fingerprint of a signing certificate, in hexadecimal"

    // MARK: Documents

    case projectTwice = "lists a project twice"
    case roleTwice = "lists a role of this person twice"
    case ownerEverywhere = "must be absent; the owner role applies to all projects"
    case readByCommand = "is supported only by the gatehouse command; use {name} here"
    case notEnvironment = "must be development or production"
    case changedMeanwhile = "was changed by another request at the same time; apply again"
    case gone = "no longer exists"
    case notSecretName = "is not the name of a secret"
    case nameLikeAddress = """
        looks like an email address; choose a name without @, or set email to the same address \
        with email_verified: true
        """
    case passwordTooShort = "must have at least {least} characters"
    case passwordUnprintable = "contains control characters"
    case passwordCommon = "is one of the passwords that attackers try first"
    case passwordContext = "consists of names of the person or of the site"
    case passwordRepeated = "repeats one short text"
    case passwordSequential = "is a sequence of characters"
    case setNotThere = "refers to the entitlement set {name}, which does not exist"
    case kindStays = "has the kind {kind}, which can't be changed"
    case clientSecretMissing = """
        has no secret; set client_secret, client_secret_file or client_secret_env, or \
        token_endpoint_auth_method: none
        """
    case providerSecretMissing = """
        has no secret; set client_secret, client_secret_file or client_secret_env, or another \
        token_endpoint_auth_method
        """
    case providerOfHigher = "can sign in a person with a higher role than yours"
    case ownersAlone = """
        can be changed only by an owner, because it can sign in owners, who belong to this project
        """
    case higherRole = "has a higher role than yours"
    case lastOwner = "is the last owner; make another person an owner first"
    case nobodyAtHome = "does not exist in the project {project}"
    case roleNowhere = "can't have a role in {project}, which does not exist"

    // MARK: Clients

    case redirectNeeded = "is empty; the grant type authorization_code requires a redirect URI"
    case authenticationNeeded = """
        must not be none; the grant type client_credentials requires client authentication
        """
    case secretUnused = "conflicts with token_endpoint_auth_method: none; remove one of them"
    case keysNeeded = "is missing; private_key_jwt requires the client's public keys"
    case encryptionKeyNeeded = "has no key with use: enc that supports {name}"
    case scopeOfOurs = """
        contains {name}, which gives access to people's accounts; set first_party: true, or \
        manages_accounts: true for a third-party client, or remove the scope
        """
    case claimReserved = "\"{name}\" is a claim that the provider sets itself; choose another name"
    case claimSource = "must have exactly one of from_groups, from_attribute and value"
    case claimValue = """
        must be a string, a whole number, a Boolean or an array of strings, of at most {most} \
        bytes
        """
    case claimTwice = "repeats the claim \"{name}\""
    case refreshNeeded = "contains offline_access, which requires the grant type refresh_token"
    case encryptionAlone = "requires {name}"

    // MARK: Issuers and other providers

    case testIssuer = "is reserved for test registration keys"
    case ownPrefix = "must not start with \"{prefix}\", which is reserved for upstream providers"
    case personsIdentifier = "must not be a UUID; UUIDs identify people"
    case claimOfItsOwn = "is a standard claim and can't be an attribute"
    case namesSubject = "must not contain sub, which OpenID Connect defines"
    case endpointNeeded = "is missing; OAuth 2.0 providers have no discovery document"
    case notOfOAuth = "is not supported for OAuth 2.0 providers"

    // MARK: Entitlements

    case tooManyEntitlements = "has more than {most} entitlements"
    case notEntitlementName = "must have 1 to 128 ASCII letters, digits and . _ : -"
    case notEntitlement = "must be true, false or a whole number from 0 to {most}"
    case notSteps = "must be an array of 1 to {most} steps"
    case notStep = "contains a step that is not {set: NAME, duration: SECONDS}"
    case stepWithoutEnd = "has a step without a duration that is not the last step"
    case notDuration = "has a duration that is not a whole number of seconds from 1 to {most}"

    // MARK: Apps and PINs

    case notAppleApp = """
        must be a team ID and a bundle identifier, such as ABCDE12345.com.example.app
        """
    case notAppID = "must be an App ID such as ABCDE12345.com.example.notes"
    case notPackage = "must be a package name such as com.example.notes"
    case notAllowance = "must be NAME until 2026-12-01T00:00:00Z"
    case notAppName = """
        must have 1 to 128 ASCII letters, digits and . _ -, such as com.example.notes
        """
    case notLowerCase = "must be lowercase, such as android"
    case notVersion = "must be one to four numbers separated by dots, such as 2.4.1"
    case notAuthenticator = "must be biometric, or a name with a-z, 0-9, . _ and -"
    case personalScope = "is a scope for people and can't be given to a device"
    case scopeNeedsPIN = "requires the PIN"
    case appAttestNeedsApp = "applications is empty; the method appAttest requires an app"
    case deviceCheckNeedsKey = """
        the method deviceCheck requires device_check_key_id and device_check_team_id
        """
    case androidNeedsApp = """
        applications is empty; the methods keyAttestation and playIntegrity require an app
        """
    case playNeedsKey = "the method playIntegrity requires play_verification_key"
    case tooManyRepeats = "must be a number from 1 to the PIN length"
    case notBlockedPIN = "contains \"{pin}\", which does not have {length} digits"

    // MARK: Passkeys

    case notModel = "must be a lowercase AAGUID such as ee882879-721c-4913-9775-3dfcce97072a"
    case trustNeedsAttestation = """
        requires attestation: direct, because browsers otherwise remove the attestation
        """
    case rootsNeeded = "is empty; attestation_trust: roots requires a trust anchor"
    case modelsNeedTrust = """
        requires attestation_trust: roots or metadata, because nothing else proves the model
        """
    case rs1NotAllowed = "contains RS1, which requires rs1: true; remove RS1 if possible"
    case modelAllowed = "\"{model}\" is also allowed; remove it from one of the two lists"

    // MARK: Devices

    case methodsNeeded = "is empty; no one could sign in"
    case passwordNeeded = "requires password in allowed_methods"
    case cardRootsNeeded = "is empty; no smart card could be verified"
    case cardMappingNeeded = "is empty; no certificate could be mapped to a person"
    case federationNeedsBoth = "requires federation_issuer, and federation_issuer requires it"
    case assertionKeyNeeded = "has no key that could verify assertions"
    case evidenceRootsNeeded = "is empty; no attestation could be verified"
    case tpmTrustNeeded = """
        is empty, as are attestation_tpm_keys and attestation_tpm_endorsement_roots
        """
    case registersNeedTPM = "requires tpm as the only attestation format"
    case tpmKeysOrRoots = "can't be combined with attestation_tpm_roots"
    case notRegister = """
        must be INDEX:HEXADECIMAL, with a register from 0 to 23 and a value of 32 bytes
        """
    case notAssignment = "is not a setting; use KEY=VALUE"
    case unknownSetting = "the key {key} does not exist{hint}"
    case notSettingValue = "{key} must be {form}"
    case settingTwice = "sets {key} twice"
    case notGroup = "must be a group name without commas"
    case notRight = "must be RIGHT=GROUP, such as system.print=printers"
    case rightTwice = "lists the right {right} twice"
    case manifestNeeded = "requires setup_assistant_package, the https URL of the package manifest"
    case noProfile = "can't be used to create a profile: {reason}"

    /// The name in the Admin API: `not_one_of`.
    package var name: String {
        var name = ""
        var wasLower = false
        for letter in String(describing: self) {
            if letter.isUppercase, wasLower { name += "_" }
            wasLower = !letter.isUppercase
            name += letter.lowercased()
        }
        return name
    }
}
