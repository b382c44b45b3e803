import { Agent as HttpsAgent } from 'node:https';

/**
 * Loads the `fetch` of a package, and how it is made to trust an authority or to use a proxy. `built-in` is the default of the
 * client; an environment variable makes that trust an authority.
 */
export async function loadLibrary(name) {
  if (name === 'built-in') return {};
  if (name === 'node-fetch') {
    const { default: fetch } = await import(name);
    return { fetch, option: 'agent', trust: (ca) => new HttpsAgent({ ca }) };
  }
  const { fetch, Agent, ProxyAgent } = await import(name);
  return {
    fetch,
    option: 'dispatcher',
    trust: (ca) => new Agent({ connect: { ca } }),
    // One connection, because undici opens another when the next request comes before the last one is released.
    tunnel: (uri, ca) => new ProxyAgent({ uri, requestTls: { ca }, connections: 1 }),
  };
}
