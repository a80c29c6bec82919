// SPDX-License-Identifier: Apache-2.0

/// Removes earlier installations of a person on this device at the provider, after the person has
/// registered again. The profile names them until the provider has confirmed it.
struct ReplacedInstallations: Sendable {
    let profiles: ProfileStore

    /// A failure is not reported: the next sign-in tries again.
    func remove(_ profile: StoredProfile, by session: UserSession) async {
        for installation in profile.replacedInstallations {
            do {
                _ = try await session.object(
                    "DELETE", "installations", below: "/\(installation)", in: .registration)
            } catch let error as IdentityError where error.serverCode == "unknown_installation" {
                // It was removed before, and the response was lost.
            } catch { continue }
            _ = try? await profiles.update(profile.id) {
                $0.replacedInstallations.removeAll { $0 == installation }
            }
        }
    }
}
