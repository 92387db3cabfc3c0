-- How often somebody has tried to accept something of late, by a hash of what they tried.
create table acceptance_attempt (
  realm_id bigint not null,
  subject_hash bytea not null,
  attempted_at timestamptz[] not null,
  expires_at timestamptz not null,
  primary key (realm_id, subject_hash)
);

create index acceptance_attempt_by_age on acceptance_attempt (expires_at);
