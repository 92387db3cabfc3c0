/** More than the largest picture, so that one that is too large is refused for that. */
export const MAX_PICTURE_UPLOAD_BYTES = 8 * 1024 * 1024;
