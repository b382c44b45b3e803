import { type ClientOptions, ExamClient } from '../../src/index.ts';
import type { EmulatorOptions, EmulatorStyle } from '../../src/testing/index.ts';
import { createReceiver, type Service, startServer, startService } from './helpers.ts';

export const styles: readonly EmulatorStyle[] = ['resource', 'paginator', 'envelope', 'bare'];

/** How the client reaches the emulator. */
export const ways = ['as a function', 'over HTTP'] as const;
export type Way = (typeof ways)[number];

/** The client of the package with an emulator that it talks to. */
export interface ClientService extends Service {
  client: ExamClient;
  receiver: ReturnType<typeof createReceiver>;
}

/** What stands between the client and an emulator over HTTP: nothing, or the module of this variable. */
const { EMULATOR_VIA } = process.env;
const via: (url: string) => Promise<{ url: string; close(): Promise<void> }> =
  EMULATOR_VIA === undefined
    ? async (url) => ({ url, close: async () => {} })
    : (await import(EMULATOR_VIA)).via;

/** Every style as a function, or through that module, and one over HTTP. */
export const manners: readonly { style: EmulatorStyle; way: Way }[] = [
  ...styles.map((style) => ({ style, way: ways[EMULATOR_VIA === undefined ? 0 : 1] })),
  { style: 'resource', way: 'over HTTP' },
];

export async function startClientService(
  way: Way,
  options: Omit<EmulatorOptions, 'clock'> = {},
  clientOptions: ClientOptions = {},
): Promise<ClientService> {
  const overHttp = way === 'over HTTP';
  const receiver = createReceiver();
  const setUp = { fetch: receiver.fetch, ...options };
  const service = await (overHttp ? startServer(setUp) : startService(setUp));
  const proxy = overHttp ? await via(service.url) : undefined;
  const client = new ExamClient({
    baseUrl: proxy?.url ?? service.url,
    apiKey: 'test-key',
    maxRetries: 0,
    logLevel: 'off',
    ...(overHttp ? {} : { fetch: service.emulator.fetch }),
    ...clientOptions,
  });
  return {
    ...service,
    client,
    receiver,
    async [Symbol.asyncDispose]() {
      await proxy?.close();
      await service[Symbol.asyncDispose]();
    },
  };
}
