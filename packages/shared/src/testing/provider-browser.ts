/** A browser on the pages of an identity provider, which knows the person's session there by its cookies. */
export interface ProviderBrowser {
  /** Signs in on the provider's own pages, and returns the address to which the provider leads then. */
  signIn(authorizationUrl: string, name: string): Promise<URL>;
}

/** As a browser: keeps cookies, follows redirects of the provider, and presses the buttons of its pages. */
export function newProviderBrowser(): ProviderBrowser {
  const cookies = new Map<string, string>();
  const visit = async (url: URL, form?: Record<string, string>): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = form && { method: 'POST', body: new URLSearchParams(form) };
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie }, ...body });
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    async signIn(authorizationUrl, name) {
      let [url, form]: [URL, Record<string, string> | undefined] = [new URL(authorizationUrl), undefined];
      const { origin } = url;
      for (let step = 0; step < 20; step += 1) {
        const answer = await visit(url, form);
        const location = answer.headers.get('location');
        if (location !== null) {
          [url, form] = [new URL(location, url), undefined];
          if (url.origin !== origin) return url;
          continue;
        }
        const page = await answer.text();
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
        if (prompt === undefined) throw new Error(`the provider shows ${page}`);
        form = prompt === 'login' ? { prompt, login: name, password: 'any' } : { prompt };
        const action = /action="([^"]+)"/.exec(page)?.[1] as string;
        url = new URL(action, url);
      }
      throw new Error('the provider does not come to an end');
    },
  };
}
