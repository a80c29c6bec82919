// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
package import Storage
import UnicodeNormalization

/// The name of a local account that a device creates for a person (`TokenToUserMapping` of the
/// payload): `[a-z_][a-z0-9_-]*`, at most 32 bytes (POSIX.1-2017 section 3.437, `useradd(8)`).
///
/// A name that represents the username without loss is plain. Other names end with a hash, so that
/// two usernames never have the same account.
package enum AccountName {
    private static let greatestLength = 32
    /// 40 bits.
    private static let hashLength = 8

    /// The possible names for the person, best first.
    package static func candidates(for person: Person) -> [String] {
        let derived = derive(from: person)
        let hashes = [person.qualifiedName, "\(person.qualifiedName)\u{0}\(person.id)"].map(hash)
        let most = greatestLength - hashLength - 1
        let stem = derived.text.drop { !("a"..."z").contains($0) }
        let isOwn = !stem.isEmpty && !stem.hasPrefix("systemd-")
        let base = isOwn ? String(stem.prefix(most)) : "user"
        let others = hashes.map { "\(base)-\($0)" }
        let isPlain = derived.isWhole && derived.text.utf8.count <= greatestLength
        return isPlain && !isReserved(derived.text) ? [derived.text] + others : others
    }

    /// Whether operating systems have accounts or groups with this name.
    package static func isReserved(_ name: String) -> Bool {
        reserved.contains(name) || name.hasPrefix("_") || name.hasPrefix("systemd-")
    }

    // MARK: Derivation from a username

    /// - Returns: The username in plain ASCII, and whether nothing was omitted. If the username is
    ///   the person's verified email address, its domain is not used.
    private static func derive(from person: Person) -> (text: String, isWhole: Bool) {
        var name = person.username
        if person.ownsMailbox(name), let mark = name.firstIndex(of: "@") {
            name = String(name[..<mark])
        }
        var (text, isWhole) = ("", true)
        // In form D, accents are separate scalars.
        for scalar in NormalizationForm.compatibilityDecomposed(name).unicodeScalars {
            if let letters = letters(of: scalar) {
                text += letters
            } else if scalar.properties.generalCategory != .nonspacingMark {
                isWhole = false
            }
        }
        let trimmed = text.drop { $0 == "-" || ("0"..."9").contains($0) }
        return (String(trimmed), isWhole && trimmed.count == text.count && !text.isEmpty)
    }

    /// Returns `nil` for characters that are not allowed in account names.
    private static func letters(of scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "a"..."z", "0"..."9", "_", "-": String(scalar)
        case "A"..."Z": String(scalar).lowercased()
        case ".", " ": "-"
        default: latin[scalar]
        }
    }

    /// Latin characters that have no decomposition into a base character and an accent.
    private static let latin: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l",
        "ı": "i", "ħ": "h", "ŋ": "n", "ŧ": "t",
    ]

    /// A hash in the alphabet of RFC 4648 section 6, in lower case.
    private static func hash(of text: String) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
        return String(
            SHA256.hash(data: Array(text.utf8)).prefix(hashLength).map {
                alphabet[Int($0 & 31)]
            })
    }

    /// Accounts and groups of Linux distributions, their images for clouds and boards, usual
    /// services and macOS.
    private static let reserved: Set<String> = Set(
        """
        root daemon bin sys sync games man lp mail news uucp proxy www-data backup list irc gnats \
        nobody nogroup adm tty disk kmem dialout fax voice cdrom floppy tape sudo audio dip operator \
        src shadow utmp video sasl plugdev staff users input sgx kvm render netdev crontab messagebus \
        sshd syslog ntp polkitd avahi dbus halt shutdown ftp wheel mem lock log rpc rpcuser nfsnobody \
        postfix postgres mysql apache nginx docker lxd libvirt gdm sddm lightdm rtkit geoclue colord \
        uuidd tcpdump tss usbmux dnsmasq chrony saslauth admin administrator administrators guest \
        mobile everyone nobodyuser localaccounts netaccounts interactusers certusers procmod procview \
        access group accessibility toor user default system gatehouse gatehouse-agent \
        ubuntu debian fedora centos rocky almalinux rhel alpine arch opensuse sles nixos kali core pi \
        ec2-user ec2-instance-connect opc azureuser cloud-user cloudinit bitnami vagrant ansible \
        puppet oracle deck odroid orangepi vscode codespace gitpod clouduser google-sudoers \
        google_sudoers lxc podman containerd kubelet qemu swtpm sssd unbound named bind ldap openldap \
        radiusd freerad cups lpadmin saned pulse pipewire plocate ssh ssh_keys cockpit-ws cockpit-wsinstance \
        landscape pollinate fwupd-refresh tcsd nm-openvpn openvpn wireguard dovecot exim debian-exim \
        smmsp squid haproxy redis memcache memcached mongodb rabbitmq elasticsearch tomcat jenkins git \
        gitlab-runner prometheus grafana nagios zabbix consul vault
        """.split(separator: " ").map(String.init))
}
