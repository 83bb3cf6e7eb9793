#!/bin/sh
# Restarts the service after an upgrade if it runs. dpkg passes configure and the old version,
# rpm 1 after an installation and 2 after an upgrade.
set -e
case "${1:-}" in
configure) old=${2:-} ;;
1) old= ;;
2) old=before ;;
*) exit 0 ;;
esac
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	[ -z "$old" ] || systemctl try-restart calbridge.service
fi
if [ -z "$old" ]; then
	echo "calbridge: edit /etc/calbridge/calbridge.conf, then: systemctl enable --now calbridge"
fi
