import type { Sql } from '@parley/shared/db';
import { SEND_SETTING, type SettingPlace } from './setting-place';

/** The anonymous group that the setting's value is; null while it is a named one, or the default. */
export async function findAnonymousValue(sql: Sql, realmId: number, place: SettingPlace): Promise<number | null> {
  const { text, values } = pointerOf(place);
  const [row] = await sql.query<{ id: number }>(
    `select g.id from user_group g where g.realm_id = $1 and g.name is null and g.id = (${text})`,
    [realmId, ...values],
  );
  return row?.id ?? null;
}

function pointerOf(place: SettingPlace): { text: string; values: unknown[] } {
  if (place.of === 'realm') {
    return { text: 'select group_id from realm_group_setting where realm_id = $1 and name = $2', values: [place.name] };
  }
  if (place.of === 'group') {
    return {
      text: 'select group_id from user_group_setting where realm_id = $1 and user_group_id = $2 and name = $3',
      values: [place.groupId, place.name],
    };
  }
  if (place.name === SEND_SETTING) {
    return {
      text: 'select can_send_message_group_id from channel where realm_id = $1 and id = $2',
      values: [place.channelId],
    };
  }
  return {
    text: 'select group_id from channel_group_setting where realm_id = $1 and channel_id = $2 and name = $3',
    values: [place.channelId, place.name],
  };
}

/** Makes the group the setting's value, be it a named or an anonymous one. */
export async function pointToGroup(sql: Sql, realmId: number, place: SettingPlace, groupId: number): Promise<void> {
  if (place.of === 'realm') {
    await sql.query(
      `insert into realm_group_setting (realm_id, name, group_id) values ($1, $2, $3)
       on conflict (realm_id, name) do update set group_id = excluded.group_id`,
      [realmId, place.name, groupId],
    );
  } else if (place.of === 'group') {
    await sql.query(
      `insert into user_group_setting (realm_id, user_group_id, name, group_id) values ($1, $2, $3, $4)
       on conflict (realm_id, user_group_id, name) do update set group_id = excluded.group_id`,
      [realmId, place.groupId, place.name, groupId],
    );
  } else if (place.name === SEND_SETTING) {
    await sql.query('update channel set can_send_message_group_id = $3 where realm_id = $1 and id = $2', [
      realmId,
      place.channelId,
      groupId,
    ]);
  } else {
    await sql.query(
      `insert into channel_group_setting (realm_id, channel_id, name, group_id) values ($1, $2, $3, $4)
       on conflict (realm_id, channel_id, name) do update set group_id = excluded.group_id`,
      [realmId, place.channelId, place.name, groupId],
    );
  }
}
