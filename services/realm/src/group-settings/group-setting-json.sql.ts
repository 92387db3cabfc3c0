/**
 * SQL for a GroupSetting as JSON, not normalized, from the row of `user_group` called `value` that a setting points to. Of an
 * anonymous group it tells the active members.
 */
export const GROUP_SETTING_JSON = `case
  when value.name is not null
  then json_build_object('groupId', value.id, 'directMemberIds', json_build_array(), 'directSubgroupIds', json_build_array())
  else json_build_object(
    'directMemberIds', coalesce((select json_agg(m.user_id) from user_group_member m
      join user_account u on u.realm_id = m.realm_id and u.id = m.user_id
      where m.realm_id = value.realm_id and m.group_id = value.id and u.is_active), '[]'),
    'directSubgroupIds', coalesce((select json_agg(s.subgroup_id) from user_group_subgroup s
      where s.realm_id = value.realm_id and s.group_id = value.id), '[]'))
end`;
