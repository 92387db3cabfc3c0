/** Bounds of a request's size and time of arrival; each has an error of its own. */

/** Of a form; files that are streamed have a bound of their own (MAX_FILE_UPLOAD_SIZE_MIB). */
export const MAX_BODY_BYTES = 1024 * 1024;
/** How much of a too large body is read and dropped, so that its sender gets the answer. */
export const MAX_DROPPED_BYTES = 64 * 1024 * 1024;
/** Within which a form must have come. */
export const MAX_BODY_MS = 60_000;

export const MAX_PARAMETERS = 200;
export const MAX_NAME_BYTES = 200;

/** Bounds of JSON in a parameter: its depth, and the items of a list. */
export const MAX_JSON_DEPTH = 20;
export const MAX_LIST_LENGTH = 20_000;
/** An object's members take several times as long to check as a list's items. */
export const MAX_OBJECT_MEMBERS = 5_000;
/** Lists, objects, texts and all else in one parameter: checking them takes one turn of the event loop. */
export const MAX_JSON_VALUES = 25_000;

/** Room for 5,000 message ids in a query. */
export const MAX_HEADER_BYTES = 128 * 1024;
export const MAX_HEADERS_MS = 15_000;
/** Of requests that bring a file. */
export const MAX_REQUEST_MS = 15 * 60_000;
