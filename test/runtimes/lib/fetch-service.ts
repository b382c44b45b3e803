import { issueCertificate } from './certificate.ts';
import { startConnectProxy } from './connect-proxy.ts';
import type { ForeignProject } from './foreign-project.ts';
import { type Holder, listenSecurely, rejectConnections } from './loopback.ts';
import { type Environment, type Service, startService } from './service.ts';

/** What the scenario of a `fetch` gets, beyond the input of every scenario. */
export interface FetchEnvironment extends Environment {
  /** Where connections are rejected. */
  readonly closedUrl: string;
  /** The service under https, with a certificate of `authority`. */
  readonly secureUrl: string;
  /** The same, with a certificate of another authority, which nobody trusts. */
  readonly strangerUrl: string;
  /** PEM. */
  readonly authority: string;
  readonly proxyUrl: string;
}

export interface FetchService extends AsyncDisposable {
  readonly service: Service;
  readonly environment: FetchEnvironment;
  /** Host and port of every tunnel that the proxy opened, in order. */
  readonly tunnels: readonly string[];
  /** Host and port of `secureUrl`. */
  readonly secureHost: string;
}

/** With one exam a page, as many pages as the scenario iterates over. */
const examCount = 40;

/** Starts the service of the other scenarios with more exams, also under https, a proxy and a closed port. */
export async function startFetchService(project: ForeignProject): Promise<FetchService> {
  await using started = new AsyncDisposableStack();
  const service = started.use(await startService(project));
  const { baseUrl, examIds } = service.environment;
  const added = service.emulator.control.seedExams(examCount - examIds.length);
  const [known, stranger] = [await issueCertificate(), await issueCertificate()];
  const { port, pathname } = new URL(baseUrl);
  const secure = started.use(await listenSecurely(known, Number(port)));
  const strange = started.use(await listenSecurely(stranger, Number(port)));
  const closed = started.use(await rejectConnections());
  const proxy = started.use(await startConnectProxy());
  const at = (scheme: string, holder: Holder) => `${scheme}://127.0.0.1:${holder.port}`;
  const owned = started.move();
  return {
    service,
    environment: {
      ...service.environment,
      examIds: [...examIds, ...added.map(({ id }) => id)],
      closedUrl: at('http', closed) + pathname,
      secureUrl: at('https', secure) + pathname,
      strangerUrl: at('https', strange) + pathname,
      authority: known.authority,
      proxyUrl: at('http', proxy),
    },
    tunnels: proxy.tunnels,
    secureHost: `127.0.0.1:${secure.port}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
