// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Primitives
package import Storage

/// The name of the account that a machine makes for somebody (`TokenToUserMapping` of the payload):
/// `[a-z_][a-z0-9_-]*`, 32 bytes at most (POSIX.1-2017 section 3.437, `useradd(8)`).
///
/// A name that is made of the user name without losing anything is plain; any other ends with a hash,
/// so that two user names never become one account.
package enum AccountName {
    private static let greatestLength = 32
    /// 40 bits.
    private static let hashLength = 8

    /// The names that the person may have, the best first.
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

    /// Whether systems have accounts or groups of that name.
    package static func isReserved(_ name: String) -> Bool {
        reserved.contains(name) || name.hasPrefix("_") || name.hasPrefix("systemd-")
    }

    // MARK: From a user name

    /// - Returns: What the user name is in plain letters, and whether nothing of it is left out. Of an
    ///   address of the person's own the domain is no part of the name.
    private static func derive(from person: Person) -> (text: String, isWhole: Bool) {
        var name = person.username
        if person.ownsMailbox(name), let mark = name.firstIndex(of: "@") {
            name = String(name[..<mark])
        }
        var (text, isWhole) = ("", true)
        // Accents are scalars of their own in form D.
        for scalar in name.decomposedStringWithCompatibilityMapping.unicodeScalars {
            if let letters = letters(of: scalar) {
                text += letters
            } else if scalar.properties.generalCategory != .nonspacingMark {
                isWhole = false
            }
        }
        let trimmed = text.drop { $0 == "-" || ("0"..."9").contains($0) }
        return (String(trimmed), isWhole && trimmed.count == text.count && !text.isEmpty)
    }

    /// `nil` for what has no place in the name of an account.
    private static func letters(of scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "a"..."z", "0"..."9", "_", "-": String(scalar)
        case "A"..."Z": String(scalar).lowercased()
        case ".", " ": "-"
        default: latin[scalar]
        }
    }

    /// Latin letters that are no other letter with an accent.
    private static let latin: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l",
        "ı": "i", "ħ": "h", "ŋ": "n", "ŧ": "t",
    ]

    /// Of 32 lower-case letters and digits, as in RFC 4648 section 6.
    private static func hash(of text: String) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
        return String(
            SHA256.hash(data: Array(text.utf8)).prefix(hashLength).map {
                alphabet[Int($0 & 31)]
            })
    }

    /// Accounts and groups that Linux distributions, their images for clouds and boards, usual services and macOS
    /// come with.
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
