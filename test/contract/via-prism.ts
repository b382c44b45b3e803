// Puts Prism between the client and an emulator. Prism holds each request and each response against openapi.json.
import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';

const document = fileURLToPath(new URL('../../spec/openapi.json', import.meta.url));
const operations = await getHttpOperationsFromSpec(document);

/** Writes one line for each request, and one for each thing that Prism finds wrong. */
const report = (line: string) => appendFileSync(String(process.env['PRISM_REPORT']), `${line}\n`);

const ignore = () => {};
const logger = {
  trace: ignore,
  debug: ignore,
  fatal: report,
  info: (_: unknown, message?: string) => message === 'Request received' && report('request'),
  warn: (_: unknown, message: string) => report(message),
  error: (_: unknown, message: string) => report(message),
  success: ignore,
  child: () => logger,
};

/** An address that responds as `upstream` does, through Prism. */
export async function via(upstream: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(operations, {
    cors: false,
    components: { logger: logger as never },
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      upstreamProxy: undefined,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      mock: { dynamic: false },
    },
  });
  const url = await server.listen(0, '127.0.0.1');
  return { url, close: () => server.close() };
}
