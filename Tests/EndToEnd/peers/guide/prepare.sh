#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What surrounds the provider of the guide: an authority that the system trusts, certificates of the named hosts, a mail server.
set -eu
here=$(dirname "$0")
mkdir -p /etc/ssl/example /var/lib/mail
cd /etc/ssl/example
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=Guide -keyout root.key -out root.pem 2>/dev/null
cat root.pem >>/etc/ssl/certs/ca-certificates.crt
for host; do
    printf 'subjectAltName=DNS:%s\n' "$host" >host.ext
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$host" -keyout "/etc/ssl/private/$host.key" -out host.csr 2>/dev/null
    openssl x509 -req -in host.csr -CA root.pem -CAkey root.key -CAcreateserial -days 1 -extfile host.ext 2>/dev/null >"/etc/ssl/certs/$host.pem"
done
systemd-run --quiet --unit=mail /guide/.venv/bin/python "/guide/Tests/EndToEnd/peers/guide/mail.py" /var/lib/mail/mail.jsonl
cat >/usr/local/guide/person <<'END'
#!/bin/sh
exec /guide/.venv/bin/python /guide/Tests/EndToEnd/peers/guide/person.py "$@"
END
chmod 755 /usr/local/guide/person
