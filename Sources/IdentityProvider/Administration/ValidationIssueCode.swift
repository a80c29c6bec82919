// SPDX-License-Identifier: Apache-2.0

/// Every sentence that says what is wrong with a value, in English, with `{NAME}` where its values
/// stand. Names of cases are what programs and translations know them by: they stay.
package enum ValidationIssueCode: String, Sendable, CaseIterable {
    // MARK: What holds for values of every kind

    case wrongKind = "is {kind}; it must be {wanted}"
    case wordNothing = "empty"
    case wordFlag = "true or false"
    case wordNumber = "a number"
    case wordText = "text"
    case wordList = "a list"
    case wordMapping = "a mapping"
    case wordNamedValues = "a mapping of names to values"
    case unknownKey = "is not a key that is known here{hint}"
    case didYouMean = "; did you mean \"{name}\"?"
    case notOneOf = "must be one of {choices}{hint}"
    case missing = "is missing"
    case empty = "is empty"
    case ofMember = "{name} {complaint}"
    case ofText = "\"{text}\" {complaint}"
    case ofElement = "element {index}: {complaint}"
    case elementTwice = "element {index} names \"{name}\" for the second time"
    case nameTwice = "names \"{name}\" for the second time"
    case otherName = "is not \"{name}\", as the address says"
    case listFull = "the list holds {most} entries already"
    case tooManyElements = "has more than {most} elements"
    case notElements = "must be a list of at most {most} elements"
    case notMappings = "must be a list of at most {most} mappings"
    case notTexts = "must be a list of texts"
    case notNames = "must be a mapping of at most {most} names"
    case notShortTexts = "must hold texts of 1 to 255 bytes"
    case verbatim = "{text}"

    // MARK: Numbers and texts

    case notSeconds = "must be a whole number of seconds from {from} to {to}"
    case notAnySeconds = "must be a whole number of seconds, zero or more"
    case notNumber = "must be a whole number from {from} to {to}"
    case outOfRange = "is out of range"
    case tooLong = "is longer than {most} bytes"
    case notBytes = "must be 1 to {most} bytes long"
    case notOneLine = "holds control characters; it must be one line of text"
    case notVisible = "must be 1 to {most} visible characters"
    case notWord = "must be one word"
    case notScope = "must be words of ASCII letters with one space between them"
    case notOneScope = "must be one scope"
    case notColour = "must be a colour such as #1f6feb"
    case notImage = "must be an address of this host or a data:image/ URL"
    case notEmailAddress = "must be an e-mail address"
    case notProjectName = "must be 1 to 63 lower-case letters, digits and inner hyphens"
    case notClientID = "must be 1 to 255 printable ASCII letters without spaces"
    case notCertificateName = """
        must begin with X509:<SHA1-PUKEY>, X509:<SKI>, X509:<RFC822>, PlatformSSO:, or be \
        X509:<I>…<SR>… or X509:<I>…<S>…
        """

    // MARK: Addresses

    case fragment = "must not have a fragment (#)"
    case query = "must not have a query (?)"
    case notRedirectURI = """
        must be an absolute URI: https, http on a loopback address, or a private-use scheme \
        such as com.example.app:/callback
        """
    case notWebPage = "must be an absolute http or https URL"
    case notWebTarget = "must be an https address, or http on a loopback address, without query"
    case notHostName = "must be the name of a host in lower case, without scheme and port"
    case notSecureAddress = "must be an https address, or http on this machine"
    case notUpstreamAddress = """
        must be an https address, or http on a loopback address, without fragment
        """
    case notHTTPS = "must be an https URL"
    case notUpdateAddress = "must begin with https://, market:// or itms-apps://"
    case notOrigin = "must be an origin such as https://login.example.org, without a path"
    case notSecureOrigin = "\"{origin}\" is no secure web origin"
    case tooManyNames = "is of {count} different names; browsers read {most}"
    case tooManyOrigins = "has {count} elements; at most {most} are served"

    // MARK: Keys and certificates

    case notReadable = "element {index} is no {thing}; give PEM, or base64 of its DER"
    case wordCertificate = "certificate"
    case wordCertificateOrKey = "certificate or public key"
    case wordPublicKey = "public key"
    case wordRevocation = "revocation list or OCSP response"
    case notKeySet = "must be a JWK set: {\"keys\": [{\"kty\": …}]} with 1 to 20 keys"
    case privateKey = "holds a private key; give the public part only"
    case notPublicKey = "must be a public key as PEM or JWK: {code}"
    case otherAlgorithm = "does not go with that kind of key"
    case notAppleKey = "must be a P-256 key as Apple hands it out (.p8)"
    case notPlayKey = "must be base64 of 32 bytes, as in the Play Console"
    case notFingerprint = "must be SHA-256 of a signing certificate, in hexadecimal"

    // MARK: Documents

    case projectTwice = "names a project for the second time"
    case roleTwice = "names a role of that person for the second time"
    case ownerEverywhere = "must be absent; an owner's role is for every project"
    case readByCommand = "is read by the command gatehouse; here, give {name} itself"
    case notEnvironment = "must be development or production"
    case changedMeanwhile = "was changed by somebody else at the same moment; apply again"
    case gone = "is gone"
    case notSecretName = "is not a secret's name"
    case nameLikeAddress = """
        looks like an e-mail address; choose a name without @, or give the same address as email \
        with email_verified: true
        """
    case passwordTooShort = "must have at least {least} characters"
    case passwordUnprintable = "contains control characters"
    case passwordCommon = "is one of the passwords that attackers try first"
    case passwordContext = "consists of names of the person or of the site"
    case passwordRepeated = "repeats one short text"
    case passwordSequential = "is a sequence of characters"
    case setNotThere = "leads to the entitlement set {name}, which is not there"
    case kindStays = "is of kind {kind}, which never changes"
    case clientSecretMissing = """
        has no secret; give client_secret, client_secret_file or client_secret_env, or \
        token_endpoint_auth_method: none
        """
    case providerSecretMissing = """
        has no secret; give client_secret, client_secret_file or client_secret_env, or \
        another token_endpoint_auth_method
        """
    case providerOfHigher = "signs in somebody with a role that yours does not reach"
    case ownersAlone = """
        can let somebody in as an owner, who belong to this project: only an owner changes it
        """
    case higherRole = "has a role that yours does not reach"
    case lastOwner = "is the last owner; make somebody else an owner first"
    case nobodyAtHome = "is nobody in the project {project}"
    case roleNowhere = "is to have a role in {project}, which is not there"

    // MARK: Clients

    case redirectNeeded = "is empty; the grant type authorization_code needs one"
    case authenticationNeeded = """
        is none; the grant type client_credentials needs a client that authenticates
        """
    case secretUnused = "is set although token_endpoint_auth_method is none; remove one"
    case keysNeeded = "is missing; private_key_jwt needs the client's public keys"
    case encryptionKeyNeeded = "has no key with use: enc that fits {name}"
    case scopeOfOurs = """
        holds {name}, which opens people's accounts; give first_party: true, or manages_accounts: \
        true for a client of others, or take the word out
        """
    case claimReserved = "\"{name}\" is a claim that the provider says itself; choose another name"
    case claimSource = "must have one of from_groups, from_attribute and value"
    case claimValue =
        "must be text, a whole number, true or false, or a list of texts, of {most} bytes"
    case claimTwice = "names the claim \"{name}\" for the second time"
    case refreshNeeded = "holds offline_access; that needs the grant type refresh_token"
    case encryptionAlone = "is set without {name}"

    // MARK: Issuers and other providers

    case testIssuer = "is the issuer of test registration keys"
    case ownPrefix = "begins with \"{prefix}\"; so the provider calls others"
    case personsIdentifier = "is a UUID; those stand for people"
    case claimOfItsOwn = "is a claim of its own and cannot be an attribute"
    case namesSubject = "names sub, which OpenID Connect defines"
    case endpointNeeded = "is missing; plain OAuth 2 has no discovery"
    case notOfOAuth = "means nothing to plain OAuth 2"

    // MARK: Entitlements

    case tooManyEntitlements = "has more than {most} entitlements"
    case notEntitlementName = "is no name: 1 to 128 ASCII letters, digits and . _ : -"
    case notEntitlement = "must be true, false or a whole number from 0 to {most}"
    case notSteps = "must be a list of 1 to {most} steps"
    case notStep = "holds a step that is not {set: NAME, duration: SECONDS}"
    case stepWithoutEnd = "has a step without duration that is not the last"
    case notDuration = "has a duration that is not a number of seconds from 1 to {most}"

    // MARK: Apps and their PINs

    case notAppleApp = """
        must be a team's prefix and a bundle identifier, such as ABCDE12345.com.example.app
        """
    case notAppID = "must be an App ID such as ABCDE12345.com.example.notes"
    case notPackage = "must be a package name such as com.example.notes"
    case notAllowance = "must be NAME until 2026-12-01T00:00:00Z"
    case notAppName = "must be 1 to 128 ASCII letters, digits and . _ -, such as com.example.notes"
    case notLowerCase = "must be in lower case, such as android"
    case notVersion = "must be one to four numbers with dots between them, such as 2.4.1"
    case notAuthenticator = "must be biometric or a name of a-z, 0-9, . _ and -"
    case personalScope = "is a person's, and no device's"
    case scopeNeedsPIN = "is not given without the PIN"
    case appAttestNeedsApp = "applications is empty; the method appAttest needs one"
    case deviceCheckNeedsKey = """
        device_check_key_id and device_check_team_id are needed by the method deviceCheck
        """
    case androidNeedsApp = """
        applications is empty; the methods keyAttestation and playIntegrity need one
        """
    case playNeedsKey = "play_verification_key is needed by the method playIntegrity"
    case tooManyRepeats = "must be from 1 to the length"
    case notBlockedPIN = "names \"{pin}\", which is not {length} digits"

    // MARK: Passkeys

    case notModel = "must be an AAGUID such as ee882879-721c-4913-9775-3dfcce97072a, in lower case"
    case trustNeedsAttestation = """
        needs attestation: direct, or browsers leave out what is to be trusted
        """
    case rootsNeeded = "is empty; attestation_trust: roots needs one"
    case modelsNeedTrust = """
        needs attestation_trust: roots or metadata, for nothing else proves a model
        """
    case rs1NotAllowed = "names RS1, which needs rs1: true; better leave it out"
    case modelAllowed = "\"{model}\" is allowed as well; remove one"

    // MARK: Machines

    case methodsNeeded = "is empty; nobody could sign in"
    case passwordNeeded = "needs password among allowed_methods"
    case cardRootsNeeded = "is empty; no card could be believed"
    case cardMappingNeeded = "is empty; no card would be anybody's"
    case federationNeedsBoth = "and federation_issuer go together"
    case assertionKeyNeeded = "has no key by which assertions are signed"
    case evidenceRootsNeeded = "is empty; no evidence could be believed"
    case tpmTrustNeeded =
        "is empty, as are attestation_tpm_keys and attestation_tpm_endorsement_roots"
    case registersNeedTPM = "needs tpm, and nothing else, as attestation"
    case tpmKeysOrRoots = "cannot stand beside attestation_tpm_roots"
    case notRegister = "must be INDEX:HEXADECIMAL, a register from 0 to 23 and 32 bytes"
    case notAssignment = "is no setting; write KEY=VALUE"
    case unknownSetting = "there is no key {key}{hint}"
    case notSettingValue = "{key} needs {form}"
    case settingTwice = "sets {key} for the second time"
    case notGroup = "must be the name of a group, without commas"
    case notRight = "must be RIGHT=GROUP, such as system.print=printers"
    case rightTwice = "names the right {right} for the second time"
    case manifestNeeded = """
        needs setup_assistant_package, the https address of the package's manifest
        """
    case noProfile = "makes no profile: {reason}"

    /// As the Admin API writes it: `not_one_of`.
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
