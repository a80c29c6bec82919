package import Primitives
// SPDX-License-Identifier: Apache-2.0
package import Storage

/// Who wakes an app when its person is asked something. What is asked is not in it: the app comes
/// and looks, so that whoever carries the notice learns nothing.
///
/// Sending is a courtesy. Nothing depends on whether a notice arrives, and one that does not is
/// not sent again.
package protocol PushSender: Sendable {
    func send(_ notice: PushNotification, for tenant: Tenant, of provider: Provider) async
}

/// That somebody is asked something.
package struct PushNotification: Sendable, Equatable {
    /// One installation that can be reached.
    package struct Target: Sendable, Equatable {
        package let installation: Identifier<Installation>
        /// As the app gave it: for the operator's service, which knows what it is.
        package let token: String

        package init(installation: Identifier<Installation>, token: String) {
            self.installation = installation
            self.token = token
        }
    }

    package let approval: Identifier<Approval>
    package let person: Identifier<Person>
    package let targets: [Target]
    package let expiresAt: Timestamp

    package init(
        approval: Identifier<Approval>, person: Identifier<Person>, targets: [Target],
        expiresAt: Timestamp
    ) {
        self.approval = approval
        self.person = person
        self.targets = targets
        self.expiresAt = expiresAt
    }
}
