create sequence attachment_id;

create table attachment (
  realm_id bigint not null,
  id bigint not null default nextval('attachment_id'),
  owner_id bigint not null,
  -- Where its bytes are, in the store and in addresses.
  path_id text not null,
  name text not null,
  content_type text not null,
  -- While it is coming in: as announced.
  size bigint not null,
  created_at timestamptz not null,
  -- incoming or stored; abandoned or doomed once its time is up: nobody can get it any more, and its bytes are being deleted.
  state text not null,
  -- Where each of the parts that have come in so far ends.
  part_ends bigint[] not null default '{}',
  -- Null while messages link to it; of what is abandoned or doomed: when to try again to delete its bytes.
  expires_at timestamptz,
  -- Of an image, found in its bytes.
  image_type text,
  image_width integer,
  image_height integer,
  image_frames integer,
  -- none, pending, ready or failed.
  thumbnails text not null default 'none',
  -- When somebody last took it upon themselves to make them.
  thumbnails_tried_at timestamptz,
  primary key (realm_id, id),
  unique (realm_id, path_id)
);

create index attachment_of_owner on attachment (realm_id, owner_id, id);
create index attachment_by_expiry on attachment (expires_at) where expires_at is not null;
create index attachment_without_thumbnails on attachment (thumbnails_tried_at) where thumbnails = 'pending';

-- Which messages link to which files.
create table attachment_link (
  realm_id bigint not null,
  attachment_id bigint not null,
  message_id bigint not null,
  primary key (realm_id, attachment_id, message_id)
);

create index attachment_link_of_message on attachment_link (realm_id, message_id);

-- What an organization's stored files take up.
create table upload_space (
  realm_id bigint not null,
  bytes bigint not null,
  primary key (realm_id)
);
