-- Undoes the statement that calls it, with an error of its own.
create function fail_as_topic_is_new() returns smallint language plpgsql as $$
begin
  raise exception 'a topic that was taken for a known one is new' using errcode = 'TN001';
end $$;
