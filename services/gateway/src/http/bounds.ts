/** Limits of a request's size and time of arrival; each has its own error. */

/** Size of a form; streamed files have a separate limit (MAX_FILE_UPLOAD_SIZE_MIB). */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Amount of an excessive body that is read and dropped, so that its sender gets the answer. */
export const MAX_DROPPED_BYTES = 64 * 1024 * 1024;
/** Time in which a form must arrive. */
export const MAX_BODY_MS = 60_000;

export const MAX_PARAMETERS = 200;
export const MAX_NAME_BYTES = 200;

/** Limits of JSON in a parameter: its depth, and the items of a list. */
export const MAX_JSON_DEPTH = 20;
export const MAX_LIST_LENGTH = 20_000;
/** Checking an object's members takes several times as long as checking a list's items. */
export const MAX_OBJECT_MEMBERS = 5_000;
/** Number of all values in one parameter: checking them takes one turn of the event loop. */
export const MAX_JSON_VALUES = 25_000;

/** Enough for 5,000 message ids in a query. */
export const MAX_HEADER_BYTES = 128 * 1024;
export const MAX_HEADERS_MS = 15_000;
/** Arrival time of requests with a file. */
export const MAX_REQUEST_MS = 15 * 60_000;
