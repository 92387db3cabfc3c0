/** Names of resolved topics begin with it. */
export const RESOLVED_TOPIC_PREFIX = '✔ ';
