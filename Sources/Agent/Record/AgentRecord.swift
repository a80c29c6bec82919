// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PlatformSSO
package import Primitives

/// Everything that the agent must not forget: one value, one file.
package struct AgentRecord: Sendable, Equatable {
    package var machine: RegistrationStateMachine
    package var devices: [DeviceOwner: DeviceRecord] = [:]
    package var people: [String: PersonRecord] = [:]
    /// The latest time that was ever seen: grace periods do not grow when the clock is set back.
    package var latest: Timestamp
    /// Who is let in; `nil` while no profile says anything.
    package var terms: EffectiveAdmissionPolicy?
    /// Vouches for the device's keys, where they are in a TPM.
    package var attestationKey: AgentKey?

    package init(machine: RegistrationStateMachine, latest: Timestamp) {
        self.machine = machine
        self.latest = latest
    }

    /// Every key that it knows.
    var keys: [AgentKey] {
        devices.values.flatMap { [$0.signing, $0.encryption] + $0.managed.pending.values }
            + people.values.flatMap { [$0.key].compactMap(\.self) + $0.managed.pending.values }
            + [attestationKey].compactMap(\.self)
    }
}

/// The keys of a device, and what its extension said of the provider.
package struct DeviceRecord: Sendable, Equatable {
    /// Kept before anybody hears of them.
    package var signing: AgentKey
    package var encryption: AgentKey
    package var managed = ManagedKeys()
    package var configuration: LoginConfiguration?
    package var registeredAt: Timestamp?
    /// When somebody was taking it off the provider last, which may have heard of it.
    package var leavingSince: Timestamp?

    package init(signing: AgentKey, encryption: AgentKey) {
        self.signing = signing
        self.encryption = encryption
    }

    var isLeaving: Bool { leavingSince != nil }

    var identity: DeviceIdentity {
        DeviceIdentity(
            signing: signing.publicKey, encryption: encryption.publicKey,
            certificates: managed.certificates[.deviceSigning].map { [$0] } ?? [])
    }
}

/// One person on this device.
package struct PersonRecord: Sendable, Equatable {
    /// `loginUserName`, which may differ from the account.
    package var loginUserName: String?
    /// Whether the provider has refused that name with a password, and never accepted it.
    package var isNameDoubted = false
    /// What the extension has their requests say besides.
    package var loginClaims = CustomClaims()
    /// As ``loginClaims``, in the assertions inside of them.
    package var assertionClaims = CustomClaims()
    /// `UserSecureEnclaveKey`
    package var key: AgentKey?
    /// Whether the provider refused that key, or it was destroyed, since it last signed in.
    package var isKeyInvalid = false
    /// Of ``key``, since the last that was right.
    package var wrongPINs = 0
    package var managed = ManagedKeys()
    /// `ssoTokens`, as the extension left them or the last login brought them.
    package var tokens: JSONObject?
    package var session: SignInSession?
    /// Whom the provider named when they first signed in: nobody else ever signs in as this account.
    package var identity: LoginIdentity?
    /// When it last answered for somebody else, until it answers for them again.
    package var strangerAt: Timestamp?
    package var unlock: UnlockRecord?
    /// Whether the provider refused a password since it accepted the last.
    package var owesLogin = false
    /// What opens sealed secrets while the provider is away; empty unless a policy grants that.
    package var kept: [CachedKeyAgreement] = []
    /// What the extension said of them last.
    package var portrait: PersonDisplayInfo?

    package init() {}

    var configuration: UserLoginConfiguration? {
        guard let loginUserName else { return nil }
        var configuration = UserLoginConfiguration(loginUserName: loginUserName)
        configuration.customLoginRequestClaims = loginClaims
        configuration.customAssertionRequestClaims = assertionClaims
        return configuration
    }
}

/// What a sign-in gave, and when.
package struct SignInSession: Sendable, Equatable {
    package var refreshToken: Secret
    package var idToken: String
    package var subject: String?
    package var groups: [String]
    package var fullLoginAt: Timestamp
    package var refreshedAt: Timestamp
    package var expiresAt: Timestamp
    /// `auth_time` of the last full login.
    package var authenticatedAt: Timestamp?

    package init(
        refreshToken: Secret, idToken: String, subject: String?, groups: [String],
        fullLoginAt: Timestamp, refreshedAt: Timestamp, expiresAt: Timestamp,
        authenticatedAt: Timestamp? = nil
    ) {
        self.refreshToken = refreshToken
        self.idToken = idToken
        self.subject = subject
        self.groups = groups
        self.fullLoginAt = fullLoginAt
        self.refreshedAt = refreshedAt
        self.expiresAt = expiresAt
        self.authenticatedAt = authenticatedAt
    }
}

/// The unlock key of the key service: its public half, and the context that finds the private one.
package struct UnlockRecord: Sendable, Equatable {
    /// DER
    package var certificate: [UInt8]
    package var context: String?

    package init(certificate: [UInt8], context: String?) {
        self.certificate = certificate
        self.context = context
    }
}
