create sequence webhook_delivery_id;

-- Who is called: locked by whoever begins or ends calls, so that there are never too many of one bot at once.
create table webhook_bot (
  realm_id bigint not null,
  bot_id bigint not null,
  primary key (realm_id, bot_id)
);

-- That a bot is told of a message, and what came of it.
create table webhook_delivery (
  realm_id bigint not null,
  id bigint not null default nextval('webhook_delivery_id'),
  bot_id bigint not null,
  message_id bigint not null,
  -- As it is told, the same at every attempt; null once that is done.
  message jsonb,
  message_href text not null,
  -- Dead: it failed, and the operator may have it tried anew.
  state text not null check (state in ('waiting', 'under_way', 'done', 'dead')),
  -- Attempts to call the bot, since it was last tried anew.
  calls integer not null default 0,
  replays integer not null default 0,
  -- What is to be said, once that is settled; the bot is not called again.
  conclusion jsonb,
  ended_at timestamptz,
  primary key (realm_id, id),
  unique (realm_id, message_id, bot_id)
);

create index webhook_delivery_of_bot on webhook_delivery (realm_id, bot_id, id) where state in ('waiting', 'under_way');
create index webhook_delivery_dead on webhook_delivery (realm_id, id) where state = 'dead';
