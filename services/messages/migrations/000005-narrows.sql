-- What a message has is read from its HTML, where text cannot be taken for a tag: whoever writes the HTML writes these along.
-- Attributes are in alphabetical order, so links to channels and messages, which have a class, are no links here.
-- 'organization' in the search vector keeps the words of different organizations apart within one index.
alter table message
  add column has_link boolean not null generated always as (rendered_content ~ '<a href=') stored,
  add column has_image boolean not null generated always as (
    rendered_content ~ '<div class="(youtube-video )?message_inline_image[" ]|<img [^<>]*class="(inline-image|image-loading-placeholder)[" ]') stored,
  add column has_attachment boolean not null generated always as (
    rendered_content ~ '<(a|img|audio|video) [^<>]*(href|src|data-original-src)="(([a-z]+://[^"/]+)?/)?user_uploads/') stored,
  add column search_vector tsvector not null generated always as (
    to_tsvector('english', left(rendered_content, 200000)) || array_to_tsvector(array['organization:' || realm_id::text])) stored;

-- New words wait in a list until somebody's send has to sort them in: a short one, so that no send waits long.
create index message_search on message using gin (search_vector) with (gin_pending_list_limit = 512);
create index message_of_sender on message (realm_id, sender_id, id desc);
create index message_with_link on message (realm_id, id desc) where has_link;
create index message_with_image on message (realm_id, id desc) where has_image;
create index message_with_attachment on message (realm_id, id desc) where has_attachment;
create index message_with_wildcard on message (realm_id, id desc) where mentions_channel or mentions_topic;
-- Those who received it did so in another channel than the one it is in.
create index message_moved on message (realm_id, sent_channel_id, id desc) where channel_id <> sent_channel_id;

alter table topic
  add column search_vector tsvector not null generated always as (
    to_tsvector('english', name) || array_to_tsvector(array['organization:' || realm_id::text])) stored;

create index topic_search on topic using gin (search_vector);
