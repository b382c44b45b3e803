import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check, Findings } from '../lib/check.ts';
import { command, enginesOf, programOf, versionOf } from '../lib/command.ts';
import { startFetchService } from '../lib/fetch-service.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { verdict } from '../lib/service.ts';
import { nodes, quietNode } from './nodes.ts';

const undicis = ['undici6', 'undici7', 'undici8'];

/** The packages with a `fetch` for Node. */
export const libraries = ['node-fetch', ...undicis];

/** Combinations that a library itself rules out, by its `engines`. */
const unsupported = ['undici8 on node20'];

/** The steps of the scenario that hold for every `fetch`. */
const steps = [
  'import',
  'pages',
  'field errors',
  'redirect',
  'timeout',
  'abort',
  'rejected',
  'one signal',
  'private authority',
];

/** Runs the scenario with every `fetch` on every Node. Nothing may be printed on stderr. */
export function fetchChecks(project: ForeignProject): Check[] {
  return [
    enginesCheck(),
    ...nodes.flatMap((node) => [
      check('built-in', node, steps),
      ...libraries
        .filter((library) => !unsupported.includes(`${library} on ${node}`))
        .map((library) => check(library, node, undicis.includes(library) ? [...steps, 'proxy'] : steps)),
    ]),
  ];

  function check(library: string, node: string, columns: readonly string[]): Check {
    const name = library === 'built-in' ? 'built-in' : `${library} ${versionOf(library)}`;
    return {
      table: 'Fetch',
      row: `${name}, Node ${versionOf(node)}`,
      columns,
      isListed: false,
      async run(signal) {
        await using service = await startFetchService(project);
        const { environment } = service;
        const parameters = [library, JSON.stringify(columns), JSON.stringify(environment)];
        const printed = await command(
          programOf(node, 'node'),
          [...quietNode.parameters, 'scenario/fetch-command.js', ...parameters],
          {
            cwd: project.folder,
            signal,
            quiet: true,
            env: { ...quietNode.env, ...(await environmentFor(library, node, environment.authority)) },
          },
        );
        const findings = verdict(service.service, JSON.parse(printed) as Findings);
        return columns.includes('proxy') ? { ...findings, proxy: proxyVerdict(findings, service) } : findings;
      },
    };
  }

  /** Only an environment variable makes the built-in `fetch` trust a private authority. */
  async function environmentFor(
    library: string,
    node: string,
    authority: string,
  ): Promise<Record<string, string>> {
    if (library !== 'built-in') return {};
    const file = join(project.folder, `authority-${node}.pem`);
    await writeFile(file, authority);
    return { NODE_EXTRA_CA_CERTS: file };
  }
}

/** Expects one tunnel for the two calls of a client, and one for the call with its own proxy. */
function proxyVerdict(
  { proxy = 'not reached' }: Findings,
  { tunnels, secureHost }: { readonly tunnels: readonly string[]; readonly secureHost: string },
): string {
  if (proxy !== 'ok' || tunnels.join() === `${secureHost},${secureHost}`) return proxy;
  return `tunnels to ${secureHost}: ${tunnels.join() || 'none'}`;
}

/** Fails when `unsupported` and the `engines` of the libraries disagree, so that no combination is skipped silently. */
function enginesCheck(): Check {
  return {
    table: 'Fetch',
    row: 'combinations that a library does not support',
    columns: ['engines'],
    isListed: false,
    async run() {
      const { satisfies } = await importSemver();
      const found = libraries.flatMap((library) =>
        nodes
          .filter((node) => !satisfies(versionOf(node), enginesOf(library) ?? '*'))
          .map((node) => `${library} on ${node}`),
      );
      return { engines: found.join() === unsupported.join() ? 'ok' : found.join() };
    },
  };
}

interface Semver {
  satisfies(version: string, range: string): boolean;
}

/** Its types, if it had any, would be missing when the repository is type-checked. */
async function importSemver(): Promise<Semver> {
  const name: string = 'semver';
  return (await import(name)).default;
}
