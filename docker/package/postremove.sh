#!/bin/sh
# Deletes the state folder if the package is purged. The configuration is deleted by dpkg; the
# user stays, since files elsewhere may belong to it.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
if [ "${1:-}" = purge ]; then
	rm -rf /var/lib/calbridge
fi
