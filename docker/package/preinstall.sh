#!/bin/sh
# Creates the user of the service. dpkg passes install or upgrade, rpm 1 or 2.
set -e
case "${1:-}" in
install | upgrade | 1 | 2)
	getent passwd calbridge >/dev/null ||
		useradd --system --user-group --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin calbridge
	;;
esac
