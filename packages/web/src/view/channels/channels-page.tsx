import '../../style/channels.css';
import { channelTexts } from '../../texts/channel-texts';
import { ChannelDetails } from './channel-details';
import { ChannelDirectory } from './channel-directory';
import { CreateChannel } from './create-channel';

/** Channels to find, to join, to make and to change: the list, and what is chosen in it. */
export function ChannelsPage({ path }: { path: readonly string[] }) {
  const [first = 'subscribed', tab = 'general'] = path;
  const channelId = /^\d+$/.test(first) ? Number(first) : null;
  const isChosen = channelId !== null || first === 'new';
  return (
    <section class={`channels-page page${isChosen ? ' has-chosen' : ''}`}>
      <ChannelDirectory tab={isChosen ? null : first} chosenId={channelId} />
      <div class="channel-pane">
        {channelId !== null && <ChannelDetails key={channelId} channelId={channelId} tab={tab} />}
        {first === 'new' && <CreateChannel />}
        {!isChosen && <p class="notice calm">{channelTexts.value.choose}</p>}
      </div>
    </section>
  );
}
