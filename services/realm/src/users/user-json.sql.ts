/** SQL for a User as JSON, from a row of `user_account` called `u`. */
export const USER_JSON = `json_strip_nulls(json_build_object(
  'id', u.id, 'realmId', u.realm_id, 'email', u.email, 'deliveryEmail', u.delivery_email, 'fullName', u.full_name,
  'role', u.role, 'isBot', u.is_bot, 'botType', u.bot_type, 'botOwnerId', u.bot_owner_id, 'isActive', u.is_active,
  'timezone', u.timezone, 'avatarSource', u.avatar_source, 'avatarVersion', u.avatar_version,
  'avatarFileName', u.avatar_file_name,
  'emailAddressVisibility', u.email_address_visibility,
  'joinedAtMs', (extract(epoch from u.created_at) * 1000)::bigint,
  'isSystemBot', case when u.system_bot is not null then true end))`;
