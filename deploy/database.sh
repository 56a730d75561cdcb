# Run once, as the database of compose.postgresql.yaml is made: a standby may copy it, and from its next start on each commit waits for it.
echo "host replication $POSTGRES_USER all scram-sha-256" >> "$PGDATA/pg_hba.conf"
psql --quiet --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --command "ALTER SYSTEM SET synchronous_standby_names = 'standby'"
