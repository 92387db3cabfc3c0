-- A key with an end is the session of a browser: it works as a cookie only.
alter table api_key add column expires_at timestamptz;
