import { type ClientOptions, ExamClient } from '../../src/index.ts';
import type { EmulatorFramework, EmulatorOptions, EmulatorStyle } from '../../src/testing/index.ts';
import { longOrShort } from '../helpers/requirements.ts';
import { createReceiver, type Service, startService } from './helpers.ts';

export const styles: readonly EmulatorStyle[] = [
  'resource',
  'paginator',
  'simple',
  'envelope',
  'bare',
  'enveloped-paginator',
  'enveloped-resource',
  'named',
  'headers',
];

/** How the client reaches the emulator. */
export const ways = ['as a function', 'over HTTP'] as const;
export type Way = (typeof ways)[number];

/** The versions of Laravel that it can answer as. */
export const frameworks: readonly EmulatorFramework[] = ['laravel-11', 'laravel-8'];

/** Every style in the manner of each of them, reached in both ways; in the short form half of them: each style in both manners, and each style in both ways. */
export const mannersAndWays = styles.flatMap((style, index) =>
  frameworks.flatMap((framework, other) =>
    longOrShort<readonly Way[]>(ways, [ways[(index + other) % 2] as Way]).map((way) => ({
      style,
      framework,
      way,
    })),
  ),
);

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

export async function startClientService(
  way: Way,
  options: Omit<EmulatorOptions, 'clock'> = {},
  clientOptions: ClientOptions = {},
): Promise<ClientService> {
  const receiver = createReceiver();
  const service = await startService({ fetch: receiver.fetch, ...options });
  const proxy = await via(service.url);
  const client = new ExamClient({
    baseUrl: way === 'over HTTP' ? proxy.url : 'https://exams.example.test/api/v1',
    apiKey: 'test-key',
    maxRetries: 0,
    logLevel: 'off',
    ...(way === 'over HTTP' ? {} : { fetch: service.emulator.fetch }),
    ...clientOptions,
  });
  return {
    ...service,
    client,
    receiver,
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** The names of the operations that the emulator was asked for. */
export function asked({ emulator }: Service): (string | null)[] {
  return emulator.requests.map(({ operation }) => operation);
}
