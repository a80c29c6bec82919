// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
import SingleSignOn

/// Asks extensions what people's groups are called and what they look like: after a full login, a day
/// or other groups later than the last time. Nobody waits for it.
extension Agent {
    func askPortrait(of person: String) {
        guard let found = configuration(for: person), let serving = extensions.find(found),
            serving.registration.describesPeople, let session = record.people[person]?.session
        else { return }
        let groups = Array(session.groups.prefix(PersonDisplayInfo.greatestGroups))
        guard !groups.isEmpty || found.wantsPictures else { return }
        let known = record.people[person]?.portrait
        guard known?.isDue(groups, now: now) ?? true else { return }
        inBackground { await self.portray(person, groups, found, serving.registration) }
    }

    private func portray(
        _ person: String, _ groups: [String], _ found: SSOConfiguration,
        _ serving: any RegistrationExtension
    ) async {
        let number = openRequest()
        defer { closeRequest(number) }
        let manager = RegistrationCallHandle(
            agent: self, attempt: number,
            owner: record.machine.plan?.owner(of: person) ?? .everyone, account: person,
            extensionData: found.extensionData ?? [], registrationToken: nil, facts: facts,
            keys: keys, makesKeys: false,
            authenticationMethod: found.authenticationMethod ?? .password, conversation: nil)
        let names = groups.isEmpty ? [:] : await serving.displayNames(of: groups, manager)
        let bytes = found.wantsPictures ? await serving.profilePicture(manager) : []
        // One that failed is asked again after the next login; what it said before stays.
        guard let names, let bytes else { return }
        // They were taken off the machine, or their profile changed, while it was asked.
        guard record.people[person]?.session != nil, configuration(for: person) == found else {
            return
        }
        var portrait = PersonDisplayInfo(askedAt: now)
        portrait.groups = groups
        portrait.names = PersonDisplayInfo.names(names, of: groups)
        portrait.picture = Avatar(bytes)
        if !bytes.isEmpty, portrait.picture == nil {
            notices.failed("taking the picture of \(person)", UnusablePicture())
        }
        record.people[person]?.portrait = portrait
        limitPictures()
        try? await keep()
    }

    /// The ones that were asked for longest ago go first.
    private func limitPictures() {
        let pictured = record.people.compactMap { name, person -> (name: String, at: Timestamp)? in
            guard let portrait = person.portrait, portrait.picture != nil else { return nil }
            return (name, portrait.askedAt)
        }
        let newest = pictured.sorted { ($0.at, $0.name) > ($1.at, $1.name) }
        for (name, _) in newest.dropFirst(Avatar.greatestCount) {
            record.people[name]?.portrait?.picture = nil
        }
    }

    /// Pictures that the profile does not want any more.
    func erasePictures() async {
        let unwanted = record.people.filter { name, person in
            person.portrait?.picture != nil && configuration(for: name)?.wantsPictures == false
        }
        guard !unwanted.isEmpty else { return }
        for name in unwanted.keys { record.people[name]?.portrait?.picture = nil }
        try? await keep()
    }

    /// The person's picture, for their desktop.
    package func picture(of person: String) throws(AgentRefusal) -> JSONValue {
        guard let picture = record.people[person]?.portrait?.picture else { throw .noPicture }
        return [
            "format": .string(picture.format.rawValue),
            "data": .string(Base64URL.encode(picture.bytes)),
        ]
    }
}

private struct UnusablePicture: Error, CustomStringConvertible {
    let description = "it is neither PNG nor JPEG, or has more than 64 KiB"
}

extension SSOConfiguration {
    /// `SynchronizeProfilePicture`
    fileprivate var wantsPictures: Bool { platformSSO?.synchronizeProfilePicture ?? false }
}
