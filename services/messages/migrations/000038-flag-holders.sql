-- Who has something of their own on a message that they did not receive. Volatile: asked by a statement that has waited for the message's
-- lock, it sees what those have stored for whom it waited.
create function flag_holders(realm bigint, message bigint) returns bigint[] language sql volatile as $$
  select array(select user_id from personal_flag where realm_id = realm and message_id = message and is_historical order by user_id)
$$;
