export { deleteTopic } from './delete-topic';
export { listTopics } from './list-topics';
