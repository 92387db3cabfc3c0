import { isListedInReach, reachOf } from '../groups/group-reach.sql';

/** A group and all inside it, as far as the sender and a sending bot's owner go. */
export interface ReachOfSend {
  systemGroups: string[];
  isSenderListed: boolean;
  isOwnerListed: boolean;
}

/** SQL for a ReachOfSend as JSON, where `q` is the query and `owner` the sending bot's. The argument is SQL as that of reachOf(). */
export function reachJsonOf(groupId: string): string {
  return `(with recursive ${reachOf('q.realm_id', groupId)}
      select json_build_object(
        'systemGroups', coalesce(json_agg(system_group.name) filter (where system_group.name is not null), '[]'),
        'isSenderListed', ${isListedInReach('q.realm_id', 'q.sender_id')},
        'isOwnerListed', ${isListedInReach('q.realm_id', 'owner.id')})
      from reach left join lateral (
        select g.name from user_group g
        where g.realm_id = q.realm_id and g.id = reach.group_id and g.is_system limit 1
      ) system_group on true)`;
}
