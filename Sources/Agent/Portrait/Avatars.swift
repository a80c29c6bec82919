// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Primitives
import SingleSignOn

/// Requests the names of people's groups and their pictures from extensions: after a full login, if a day
/// has passed or the groups have changed. No caller waits for it.
@AgentActor
struct Avatars {
    let records: RecordStore
    let profiles: ActiveProfiles
    let calls: ExtensionCalls
    let managers: LoginManagerFactory
    let background: BackgroundWork
    let notices: any AgentEventLog
    let events: any AgentEvents

    func update(_ person: String) {
        guard let found = profiles.configuration(for: person),
            let serving = profiles.extensions.find(found), serving.registration.describesPeople,
            let session = records.record.people[person]?.session
        else { return }
        let groups = Array(session.groups.prefix(PersonDisplayInfo.greatestGroups))
        guard !groups.isEmpty || found.wantsPictures else { return }
        let known = records.record.people[person]?.portrait
        guard known?.isDue(groups, now: records.now) ?? true else { return }
        background.start { await fetch(person, groups, found, serving.registration) }
    }

    private func fetch(
        _ person: String, _ groups: [String], _ found: SSOConfiguration,
        _ serving: any RegistrationExtension
    ) async {
        let number = calls.openRequest()
        defer { calls.closeRequest(number, events) }
        let manager = managers.manager(number, of: person, found)
        let names = groups.isEmpty ? [:] : await serving.displayNames(of: groups, manager)
        let bytes = found.wantsPictures ? await serving.profilePicture(manager) : []
        // After a failure the extension is called again at the next login; the stored answer stays.
        guard let names, let bytes else { return }
        // The person was unregistered, or their profile changed, during the call.
        guard records.record.people[person]?.session != nil,
            profiles.configuration(for: person) == found
        else { return }
        var portrait = PersonDisplayInfo(askedAt: records.now)
        portrait.groups = groups
        portrait.names = PersonDisplayInfo.names(names, of: groups)
        portrait.picture = Avatar(bytes)
        if !bytes.isEmpty, portrait.picture == nil {
            notices.failed("taking the picture of \(person)", UnusablePicture())
        }
        records.record.people[person]?.portrait = portrait
        limitPictures()
        try? await records.save()
    }

    /// Deletes the oldest pictures above the limit.
    private func limitPictures() {
        let pictured = records.record.people.compactMap {
            name, person -> (name: String, at: Timestamp)? in
            guard let portrait = person.portrait, portrait.picture != nil else { return nil }
            return (name, portrait.askedAt)
        }
        let newest = pictured.sorted { ($0.at, $0.name) > ($1.at, $1.name) }
        for (name, _) in newest.dropFirst(Avatar.greatestCount) {
            records.record.people[name]?.portrait?.picture = nil
        }
    }

    /// Deletes the pictures that the profile does not request any longer.
    func deleteUnwanted() async {
        let unwanted = records.record.people.filter { name, person in
            person.portrait?.picture != nil
                && profiles.configuration(for: name)?.wantsPictures == false
        }
        guard !unwanted.isEmpty else { return }
        for name in unwanted.keys { records.record.people[name]?.portrait?.picture = nil }
        try? await records.save()
    }

    /// Returns the picture of a person for their desktop.
    func picture(of person: String) throws(AgentRefusal) -> JSONValue {
        guard let picture = records.record.people[person]?.portrait?.picture else {
            throw .noPicture
        }
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
