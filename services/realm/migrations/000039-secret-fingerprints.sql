-- By which a start sees that a secret, of which keys were made, is missing or another one. It says nothing of the secret itself.
create table secret_fingerprint (
  name text primary key,
  fingerprint bytea not null
);
