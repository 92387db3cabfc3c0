import type { Signal } from '@preact/signals';
import { call } from '../../api/call';
import { read } from '../../store/model';
import { memberIdsOf, namedGroups } from '../../store/named-groups';
import { channelTexts } from '../../texts/channel-texts';
import { attempt } from '../base/notices';
import { PickPeople } from '../people/pick-people';

interface PickMembersProps {
  chosen: Signal<readonly number[]>;
  except?: ReadonlySet<number>;
}

/** People by name, all of a group, or all of another channel. */
export function PickMembers({ chosen, except = new Set() }: PickMembersProps) {
  const { subscriptions } = read('channels');
  const groups = namedGroups();
  const t = channelTexts.value;
  const take = (userIds: readonly number[]) => {
    chosen.value = [...new Set([...chosen.value, ...userIds.filter((id) => !except.has(id))])];
  };
  const takeAll = async (value: string) => {
    const [kind, id] = value.split('/') as [string, string];
    const group = groups.find((each) => each.id === Number(id));
    if (kind === 'group' && group) return take(memberIdsOf(group));
    const answer = await attempt(() => call<{ subscribers: number[] }>('GET', `/streams/${id}/members`));
    if (answer) take(answer.subscribers);
  };
  return (
    <>
      <PickPeople chosen={chosen} label={t.addPeople} except={except} />
      <select
        aria-label={t.addGroup}
        value=""
        onChange={({ currentTarget }) => {
          void takeAll(currentTarget.value);
          currentTarget.value = '';
        }}
      >
        <option value="">{t.addGroup}</option>
        {groups.map(({ id, name }) => (
          <option key={`group/${id}`} value={`group/${id}`}>
            {t.groupOption(name)}
          </option>
        ))}
        {subscriptions.map(({ stream_id: id, name }) => (
          <option key={`channel/${id}`} value={`channel/${id}`}>
            {t.channelOption(name)}
          </option>
        ))}
      </select>
    </>
  );
}
