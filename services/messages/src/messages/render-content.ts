import type { RenderContentRequest, RenderContentResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { renderAs } from './render-as';

/** Content as HTML, as if the caller sent it. */
export async function renderContent(
  ctx: Context,
  caller: Caller,
  request: RenderContentRequest,
): Promise<RenderContentResponse> {
  const { html } = await renderAs(ctx, caller, request.content.replaceAll('\0', ''));
  return { rendered: html };
}
