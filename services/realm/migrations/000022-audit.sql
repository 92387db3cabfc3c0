-- What those who administer an organization have done, one entry after the other. Nothing refers to it, and it refers to nothing: it
-- outlives what it tells of.
create table audit_entry (
  realm_id bigint not null,
  -- From 1, without gaps.
  seq bigint not null check (seq > 0),
  -- JSON, kept as the very text that the hash is of; realm and seq stand in it, too.
  entry text not null,
  -- SHA-256 of the former entry's hash (32 zero bytes before the first) and the text.
  hash bytea not null check (octet_length(hash) = 32),
  -- Of an act that another service announced: the event, so that it is recorded once.
  event text,
  primary key (realm_id, seq)
);

create unique index audit_entry_event_is_unique on audit_entry (event, realm_id) where event is not null;

-- The last entry of each organization, signed by the service: entries cannot be cut off at the end unseen.
create table audit_head (
  realm_id bigint primary key,
  seq bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  signature bytea not null
);
