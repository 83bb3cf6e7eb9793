#!/bin/bash
# Run once by the MariaDB image: calbridge's user may read and write rows and follow
# the binary log, nothing else. (docker_process_sql comes from the
# image, which sources this file if it is not executable.) For a read-only API,
# SELECT and the second line are enough, with CALBRIDGE_READ_ONLY and
# CALBRIDGE_RECORD_PASSWORD_USE=false.
docker_process_sql <<SQL
CREATE USER 'calbridge'@'%' IDENTIFIED BY '$(cat /run/secrets/db_calbridge_password)';
GRANT SELECT, INSERT, UPDATE, DELETE ON \`wordpress\`.* TO 'calbridge'@'%';
GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO 'calbridge'@'%';
SQL
