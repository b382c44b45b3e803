// What is compared: this package, its peers, and the least that any of them has to do.

/** A fetch that a client is to use in place of the platform's. */
export type AnyFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A client that is ready to be used. */
export interface Client {
  /** Requests a list of at most 100 rows, and parses it. */
  readonly list: () => Promise<unknown>;
  /** Reads a list to its end, item by item. */
  readonly iterate?: (concurrency?: number) => AsyncIterable<unknown>;
}

/** Import and create clients. They name nothing outside themselves: `cold.ts` runs their text in a new process. */
export const clients: Readonly<Record<string, (fetch: AnyFetch, origin: string) => Promise<Client>>> = {
  'exam-service-sdk': async (fetch, origin) => {
    const { ExamClient } = await import('exam-service-sdk');
    const baseUrl = `${origin}/api/v1`;
    const { exams } = new ExamClient({ baseUrl, apiKey: 'benchmark-key', fetch, maxRetries: 0 });
    return {
      list: () => exams.list({ page: 1, limit: 100 }),
      iterate: (concurrency) => exams.list({ limit: 100 }, { concurrency }),
    };
  },
  'fetch alone': async (fetch, origin) => {
    const headers = { 'X-Client-Key': 'benchmark-key', Accept: 'application/json' };
    return {
      list: async () =>
        JSON.parse(await (await fetch(`${origin}/api/v1/exams?page=1&limit=100`, { headers })).text()),
    };
  },
  ky: async (fetch, origin) => {
    const { default: ky } = await import('ky');
    const headers = { 'X-Client-Key': 'benchmark-key', Accept: 'application/json' };
    const client = ky.create({ fetch: fetch as typeof globalThis.fetch, headers, retry: 0, timeout: 30_000 });
    return { list: () => client.get(`${origin}/api/v1/exams?page=1&limit=100`).json() };
  },
  openai: async (fetch, origin) => {
    const { default: OpenAI } = await import('openai');
    const baseURL = `${origin}/api/v1`;
    const { models, files } = new OpenAI({ baseURL, apiKey: 'benchmark-key', fetch, maxRetries: 0 });
    return { list: () => models.list(), iterate: () => files.list({ limit: 100 }) };
  },
  stripe: async (fetch, origin) => {
    const { default: Stripe } = await import('stripe');
    const { protocol, hostname, port } = new URL(origin);
    const { customers } = new Stripe('benchmark-key', {
      httpClient: Stripe.createFetchHttpClient(fetch as typeof globalThis.fetch),
      host: hostname,
      port,
      protocol: protocol === 'http:' ? 'http' : 'https',
      maxNetworkRetries: 0,
      telemetry: false,
    });
    return { list: () => customers.list({ limit: 100 }), iterate: () => customers.list({ limit: 100 }) };
  },
};

/** A signed delivery; its signature is `t=<seconds>,v1=<hex>`, as the exam service and Stripe write it. */
export interface Delivery {
  readonly body: Buffer;
  readonly secret: string;
  readonly signature: string;
}

/** Check the signature of a delivery and parse its body. */
export const verifiers: Readonly<Record<string, (delivery: Delivery) => Promise<() => unknown>>> = {
  'exam-service-sdk/webhooks': async ({ body, secret, signature }) => {
    const { verifyWebhook } = await import('exam-service-sdk/webhooks');
    const input = { body, headers: { 'x-cbt-signature': signature } };
    return () => verifyWebhook(input, { secret });
  },
  'node:crypto alone': async ({ body, secret, signature }) => {
    const { createHmac, timingSafeEqual } = await import('node:crypto');
    return () => {
      const [t = '', v1 = ''] = signature.split(',');
      const hmac = createHmac('sha256', secret)
        .update(`${t.slice(2)}.`)
        .update(body)
        .digest();
      if (!timingSafeEqual(hmac, Buffer.from(v1.slice(3), 'hex'))) throw new Error('The signature is wrong.');
      return JSON.parse(body.toString());
    };
  },
  stripe: async ({ body, secret, signature }) => {
    const { default: Stripe } = await import('stripe');
    const { webhooks } = new Stripe('benchmark-key');
    return () => webhooks.constructEvent(body, signature, secret);
  },
};
