-- Of what the first request with the key asked for; null: it is not looked at, as for keys of earlier versions.
alter table request_key add column digest text;
