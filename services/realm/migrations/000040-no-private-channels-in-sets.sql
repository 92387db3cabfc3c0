-- Everybody is told which channels the sets for new people hold.
delete from default_channel_group_channel g using channel c
where c.realm_id = g.realm_id and c.id = g.channel_id and c.is_private;
