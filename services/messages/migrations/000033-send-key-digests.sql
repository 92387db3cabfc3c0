-- Of what the first request with the key asked for; null: it is not looked at, as for jobs, notices and keys of earlier versions.
alter table send_key add column digest text;
