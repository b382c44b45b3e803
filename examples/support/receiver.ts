import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhookHandler, toNodeListener, type WebhookHooks } from 'exam-service-sdk/webhooks';

/** A small receiver of deliveries on this machine. */
export interface Receiver {
  readonly url: string;
  /** Scores by participant, from the deliveries that were verified. */
  readonly scores: ReadonlyMap<number, number | null>;
  /** The secret is known only once the endpoint is registered, which needs the receiver's address. */
  start(secret: string): void;
  /** Resolves when so many deliveries were verified, or after `milliseconds`. */
  waitFor(count: number, milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts one that nothing is told of but `hooks`. */
export async function startReceiver(hooks: WebhookHooks = {}): Promise<Receiver> {
  const scores = new Map<number, number | null>();
  let onScore = () => {};
  let listener: ReturnType<typeof toNodeListener> | undefined;
  const server = createServer((request, response) => {
    if (listener) listener(request, response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    scores,
    start(secret) {
      listener = toNodeListener(
        createWebhookHandler({
          secret,
          hooks,
          on: {
            'exam_result.completed': ({ data }) => {
              scores.set(data.participant.id, data.score);
              onScore();
            },
          },
        }),
      );
    },
    waitFor: (count, milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        onScore = () => {
          if (scores.size < count) return;
          clearTimeout(timer);
          resolve();
        };
        onScore();
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
