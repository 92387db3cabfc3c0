alter table user_account
  -- Of the uploaded picture, whose row in avatar_image this names; null: there is none.
  add column avatar_file_name text,
  -- Rights that only the operator gives.
  add column may_create_users boolean not null default false,
  add column may_change_emails boolean not null default false,
  add check ((avatar_source = 'U') = (avatar_file_name is not null));

-- Kept here and not on a disk, like custom emoji. Goes with the account's next picture.
create table avatar_image (
  realm_id bigint not null,
  -- Random, as images are served to whoever knows the address.
  file_name text not null,
  -- PNG, 100 and 500 pixels wide and high.
  small_bytes bytea not null check (octet_length(small_bytes) <= 65536),
  medium_bytes bytea not null check (octet_length(medium_bytes) <= 2097152),
  primary key (realm_id, file_name),
  foreign key (realm_id) references realm (id)
);

-- Who has ever been in a direct conversation with whom, both ways: restricted guests know each other by it.
create table direct_contact (
  realm_id bigint not null,
  user_id bigint not null,
  contact_id bigint not null,
  primary key (realm_id, user_id, contact_id),
  foreign key (realm_id, user_id) references user_account (realm_id, id),
  foreign key (realm_id, contact_id) references user_account (realm_id, id)
);
