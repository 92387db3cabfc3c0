import { declareEvent } from './declare-event';

export interface ChannelWoken {
  channelId: number;
}

/** Somebody has written in a channel that was quiet; the realm service makes it an active one and tells clients. */
export const channelWoken = declareEvent<ChannelWoken>()('channel.woken', []);
