#!/bin/sh
# Stops the service before its files go. dpkg passes remove, rpm 0; an upgrade stops nothing.
set -e
case "${1:-}" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now calbridge.service
	fi
	;;
esac
