export { changeOwnSubscriptions } from './change-own-subscriptions';
export { listSubscriptions } from './list-subscriptions';
export { subscribe } from './subscribe';
export { unsubscribe } from './unsubscribe';
export { updateSubscriptionProperties } from './update-subscription-properties';
export { updateSubscriptionProperty } from './update-subscription-property';
