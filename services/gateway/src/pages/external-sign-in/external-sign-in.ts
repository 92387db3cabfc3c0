import type { Context } from '../../context';
import type { Page } from '../../http/routes';
import { beginSignInPages } from './begin-sign-in';
import { finishSignInPage, loginTokenPage } from './finish-sign-in';
import { providerLogout } from './provider-logout';

/** Signing in through providers, from the button to the session's end. */
export function externalSignIn(ctx: Context): Page[] {
  return [...beginSignInPages(ctx), finishSignInPage(ctx), loginTokenPage(ctx), providerLogout(ctx)];
}
