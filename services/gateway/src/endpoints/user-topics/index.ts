export { updateMutedTopics } from './update-muted-topics';
export { updateUserTopic } from './update-user-topic';
