// SPDX-License-Identifier: Apache-2.0

/// The rules for the policies of FileVault, the login window and the lock screen.
extension ConfigurationRule {
    static let ofPolicies = [
        ConfigurationRule("each policy by itself") { checkEachPolicy(&$0) },
        ConfigurationRule("policies and grace periods") { checkGracePeriods(&$0) },
    ]

    private static func policies(
        _ settings: PlatformSSOSettings
    ) -> [(key: String, words: [AuthenticationPolicy])] {
        [
            ("PlatformSSO.FileVaultPolicy", settings.fileVaultPolicy ?? []),
            ("PlatformSSO.LoginPolicy", settings.loginPolicy ?? []),
            ("PlatformSSO.UnlockPolicy", settings.unlockPolicy ?? []),
        ].filter { !$0.words.isEmpty }
    }

    private static func checkEachPolicy(_ review: inout SSOReview) {
        for (key, words) in policies(review.platformSSO) {
            checkContradictions(words, at: key, &review)
            checkEffects(words, at: key, &review)
            checkMethod(words, at: key, &review)
        }
    }

    private static func checkMethod(
        _ words: [AuthenticationPolicy], at key: String, _ review: inout SSOReview
    ) {
        guard let method = review.configuration.authenticationMethod else { return }
        let idle = words.filter { !$0.applies(to: method) }
        guard !idle.isEmpty else { return }
        let names = idle.map(\.rawValue).joined(separator: " and ")
        review.report(
            .warning, .policyWithoutEffect, at: key,
            "\(names) is for another method than \(method.rawValue)")
    }

    private static func checkContradictions(
        _ words: [AuthenticationPolicy], at key: String, _ review: inout SSOReview
    ) {
        let pairs: [(AuthenticationPolicy, AuthenticationPolicy)] = [
            (.attemptAuthentication, .requireAuthentication),
            (.requireTouchID, .requireTouchIDOrWatch),
        ]
        for (first, second) in pairs where words.contains(first) && words.contains(second) {
            review.report(
                .warning, .conflictingPolicies, at: key,
                "\(first.rawValue) and \(second.rawValue) contradict one another",
                remedy: "keep one of them")
        }
        if Set(words).count < words.count {
            review.report(.note, .duplicateEntry, at: key, "a policy is here twice")
        }
    }

    /// Checks values that only modify the effect of another value.
    private static func checkEffects(
        _ words: [AuthenticationPolicy], at key: String, _ review: inout SSOReview
    ) {
        var needs: [(AuthenticationPolicy, [AuthenticationPolicy])] = [
            (.allowAuthenticationGracePeriod, [.requireAuthentication]),
            (.allowTouchIDOrWatchForUnlock, [.requireAuthentication]),
            (.allowOpenIDForTouchIDFallback, [.requireTouchID, .requireTouchIDOrWatch]),
        ]
        // A page may be unreachable under any policy.
        switch review.configuration.authenticationMethod {
        case .openID?: break
        case .userSecureEnclaveKey?:
            needs.append((.allowOfflineGracePeriod, [.allowOpenIDForTouchIDFallback]))
        default: needs.append((.allowOfflineGracePeriod, [.requireAuthentication]))
        }
        for (word, others) in needs
        where words.contains(word) && !others.contains(where: words.contains) {
            let names = others.map(\.rawValue).joined(separator: " or ")
            review.report(
                .warning, .policyWithoutEffect, at: key,
                "\(word.rawValue) has no effect without \(names)")
        }
    }

    private static func checkGracePeriods(_ review: inout SSOReview) {
        let settings = review.platformSSO
        let periods: [(AuthenticationPolicy, String, Int64?)] = [
            (
                .allowOfflineGracePeriod, "PlatformSSO.OfflineGracePeriod",
                settings.offlineGracePeriod
            ),
            (
                .allowAuthenticationGracePeriod, "PlatformSSO.AuthenticationGracePeriod",
                settings.authenticationGracePeriod
            ),
        ]
        for (word, key, period) in periods {
            let users = policies(settings).filter { $0.words.contains(word) }
            if period == nil {
                for (policy, _) in users {
                    review.report(
                        .error, .needsGracePeriod, at: policy,
                        "\(word.rawValue) needs \(review.name(key))")
                }
            } else if users.isEmpty {
                review.report(
                    .warning, .unusedGracePeriod, at: key,
                    "no policy has \(word.rawValue), so the period is not used")
            } else if let period, 1..<shortestPeriod ~= period {
                review.report(
                    .warning, .shortGracePeriod, at: key,
                    "\(period) seconds are too short to have an effect",
                    remedy: "periods are in seconds: a day has 86400")
            }
        }
    }

    /// An hour: a smaller value is probably meant in days.
    private static let shortestPeriod: Int64 = 3600
}
