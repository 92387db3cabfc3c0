-- Few have anything of their own on messages that they did not receive: what they read depends on the channels of those.
create index personal_flag_historical on personal_flag (realm_id, user_id, message_id) where is_historical;
