#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# PostgreSQL as the installation of its package leaves it. The copy of this system has the cluster of this system.
set -eu
rm -rf /etc/postgresql/15 /var/lib/postgresql/15
make-ssl-cert generate-default-snakeoil --force-overwrite
pg_createcluster 15 main
systemctl daemon-reload
systemctl start postgresql@15-main
