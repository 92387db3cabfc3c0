-- What pages that messages link to say of themselves, as found a while ago.
create table website_card (
  realm_id bigint not null,
  -- As it is linked to.
  url text not null,
  -- Null: the page has no card, or could not be had.
  image_url text,
  title text not null,
  description text not null,
  expires_at timestamptz not null,
  primary key (realm_id, url)
);

create index website_card_by_expiry on website_card (expires_at);
