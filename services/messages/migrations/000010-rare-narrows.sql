-- Where the words of a message may not be those of its search vector: parts of addresses and names of files, what links and mentions
-- hide, formulas, code. For those, each word of the source is in an index of its own; the others are found by their vectors.
create index message_with_joined_words on message
  using gin ((regexp_split_to_array(lower(content), '[^a-z0-9]+') || ('organization:' || realm_id::text)))
  with (gin_pending_list_limit = 512)
  where content ~ '\S\.\S|://|\](\(|:|\[)|\$\$|\||<time:|```|~~~|@_?\*role:' or octet_length(rendered_content) > 200000;

-- Few topics of a channel are resolved, or most of them.
create index topic_resolved on topic (realm_id, channel_id) where starts_with(name, '✔ ');
