#!/bin/bash
# Run once by the MariaDB image: the user that calbridge serves with may only read.
# (docker_process_sql comes from the image, which sources this file if it is not
# executable.)
docker_process_sql <<SQL
CREATE USER 'calbridge'@'%' IDENTIFIED BY '$(cat /run/secrets/db_calbridge_password)';
GRANT SELECT ON \`wordpress\`.* TO 'calbridge'@'%';
SQL
