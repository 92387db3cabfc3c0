import { BadRequestError } from '@parley/shared/errors';

export const fileNotFound = () => new BadRequestError('File not found', {}, 404);
export const fileForbidden = () => new BadRequestError('You are not authorized to view this file.', {}, 403);
export const invalidAttachment = () => new BadRequestError('Invalid attachment');
