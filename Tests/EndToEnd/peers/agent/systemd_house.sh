#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A systemd of its own, as the first process of a name space, with a copy of /etc and nothing to start.
#
#     systemd_house.sh FOLDER PROGRAMS     PROGRAMS are at /run/house there
#
# Ends with its starter. What systemd starts is in control groups below one of its own.
set -eu
folder=$1
programs=$2

if [ "${3:-}" != inside ]; then
    for root in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
        [ -w "$root/cgroup.procs" ] || continue
        # Those of houses that are gone.
        for gone in "$root"/gatehouse-house-*; do
            [ -d "$gone" ] && ! kill -0 "${gone##*-}" 2>/dev/null || continue
            find "$gone" -depth -type d -exec rmdir {} + 2>/dev/null || true
        done
        mkdir "$root/gatehouse-house-$$"
        echo $$ >"$root/gatehouse-house-$$/cgroup.procs"
    done
    exec unshare --mount --propagation private --pid --fork --kill-child=KILL --uts --ipc \
        --cgroup -- "$0" "$folder" "$programs" inside
fi

mount -t proc proc /proc
mount -t tmpfs -o mode=755 tmpfs "$folder"
cp -a /etc "$folder/etc"
: >"$folder/etc/fstab"
mount --bind "$folder/etc" /etc
mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/house
mount --bind "$programs" /run/house
mount -t tmpfs -o mode=755 tmpfs /var/lib
mount -t tmpfs -o mode=755 tmpfs /var/log
# Nothing of the machine's own is started: only what a test asks for.
for wants in /usr/lib/systemd/system/*.wants /etc/systemd/system/*.wants; do
    [ ! -d "$wants" ] || mount -t tmpfs -o mode=755 tmpfs "$wants"
done
printf '[Unit]\nDefaultDependencies=no\nAllowIsolate=yes\n' >/etc/systemd/system/house.target
if [ -d /sys/fs/cgroup/systemd ]; then
    umount -R /sys/fs/cgroup
    mount -t tmpfs -o mode=755 tmpfs /sys/fs/cgroup
    mkdir /sys/fs/cgroup/systemd /sys/fs/cgroup/unified
    mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd
    mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified
else
    umount -R /sys/fs/cgroup
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
fi
mount --bind /proc/sys /proc/sys
mount -o remount,ro,bind /proc/sys
container=other exec /lib/systemd/systemd --system --unit=house.target --log-target=console \
    --show-status=no
