import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

/** The release of ky whose source was read for what follows. */
const release = '2.1.0';

/**
 * Modules of ky, with what is left of each for the one way in which `src/core/attempt/call.ts` calls it: the URL as a string,
 * plain headers, an upper-case method, `retry: 0`, `timeout: false`, `throwHttpErrors: false`, and neither hooks,
 * progress, search parameters nor a prefix.
 */
const modules: Readonly<Record<string, string>> = {
  // One function, without the instances and shortcuts; the options of a call are all there are, so nothing is merged.
  'index.js': `
    import { Ky } from './core/Ky.js';
    export default function ky(url, options) { return Ky.create(url, options); }
    export { NetworkError } from './errors/NetworkError.js';`,
  // The original makes a request to find out what the platform can do, which loads all of fetch into Node at import.
  // Streams and forms are never sent, and ky's own AbortController would serve its timeouts only.
  'core/constants.js': `
    export const supportsRequestStreams = false;
    export const supportsAbortController = false;
    export const supportsAbortSignal = false;
    export const supportsResponseStreams = false;
    export const supportsFormData = false;
    export const responseTypes = {};
    export const maxSafeTimeout = 2 ** 31 - 1;
    export const stop = Symbol('stop');
    export class RetryMarker {}`,
  // Never thrown. It would take its name from the package's own TimeoutError in the CommonJS build.
  'errors/TimeoutError.js': `
    class KyTimeoutError extends Error {}
    export { KyTimeoutError as TimeoutError };`,
  // Progress.
  'utils/body.js': `
    export function streamRequest(request) { return request; }
    export function streamResponse(response) { return response; }`,
  // The caller takes the cause out of a NetworkError again, so that it is as good to throw the cause itself.
  'utils/is-network-error.js': 'export default function isRawNetworkError() { return false; }',
  'utils/merge.js': `
    export function cloneShallow(value) { return value; }
    export function mergeHeaders(inherited, headers) { return new Headers(headers); }
    export function mergeHooks() { return { beforeRequest: [], afterResponse: [], beforeRetry: [], beforeError: [] }; }
    export const deletedParametersSymbol = Symbol('deletedParameters');`,
  'utils/normalize.js': `
    export function normalizeRequestMethod(method) { return method; }
    export function normalizeRetryOptions() { return { limit: 0 }; }`,
  // What ky does not know is not passed on to fetch: there is nothing of the kind.
  'utils/options.js': `
    export function findUnknownOptions() { return {}; }
    export function hasSearchParameters() { return false; }`,
  'utils/timeout.js': 'export default function timeout() {}',
};

/** Methods of the class `Ky`, likewise; what only they use goes with them. */
const methods: Readonly<Record<string, string>> = {
  // Without hooks, retries, errors for statuses and methods that read the body, a call is one fetch.
  create: 'static create(input, options) { return new Ky(input, options).#fetch(); }',
  // Of signals and time limits, only the caller's signal.
  '#createManagedSignal': '#createManagedSignal() {}',
  '#getRemainingTotalTimeout': '#getRemainingTotalTimeout() {}',
};

/** Leaves out of ky what the package cannot reach. The build fails where ky is not as it is known here. */
export const leanKy: Plugin = {
  name: 'lean-ky',
  setup(build) {
    const missing = new Set<string>();
    build.onStart(() => {
      for (const module of [...Object.keys(modules), 'core/Ky.js']) missing.add(module);
    });
    build.onLoad({ filter: /[\\/]ky[\\/]distribution[\\/].*\.js$/ }, async ({ path }) => {
      const [folder = '', file = ''] = path.split(/[\\/]distribution[\\/]/);
      const module = file.replaceAll('\\', '/');
      missing.delete(module);
      if (module === 'index.js') await checkRelease(folder);
      if (module === 'core/Ky.js') return { contents: withoutMethods(await readFile(path, 'utf8')) };
      const contents = modules[module];
      return contents === undefined ? undefined : { contents };
    });
    build.onEnd(({ errors }) => {
      if (errors.length > 0 || missing.size === 0) return undefined;
      return { errors: [{ text: `ky has no module ${[...missing].join(' and no ')}. ${advice}` }] };
    });
  },
};

const advice = 'Read what scripts/build/lean-ky.ts replaces against the new source, and mend it there.';

async function checkRelease(folder: string): Promise<void> {
  const { version } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
  if (version !== release) throw new Error(`This is ky ${version}, not ${release}. ${advice}`);
}

/** The source of the class with `methods` replaced, and without the private members that nothing reaches any more. */
function withoutMethods(source: string): string {
  const names = membersOf(source).map(({ name }) => name);
  const unknown = Object.keys(methods).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`The class Ky has no ${unknown.join(' and no ')}. ${advice}`);
  const replaced = replaceMembers(source, ({ name, text }) => methods[name] ?? text);
  const members = membersOf(replaced);
  const reached = new Set<string>();
  const reach = (text: string) => {
    for (const [name] of text.matchAll(/#\w+/g)) {
      if (reached.has(name)) continue;
      reached.add(name);
      for (const member of members) if (member.name === name) reach(member.text);
    }
  };
  for (const { name, text } of members) if (!name.startsWith('#')) reach(text);
  return replaceMembers(replaced, ({ name, text }) =>
    name.startsWith('#') && !reached.has(name) ? '' : text,
  );
}

interface Member {
  readonly name: string;
  readonly text: string;
  readonly end: number;
}

/** The members of the class; the constructor has the empty name. */
function membersOf(source: string): Member[] {
  const file = ts.createSourceFile('Ky.js', source, ts.ScriptTarget.Latest);
  return file.statements
    .filter(ts.isClassDeclaration)
    .flatMap(({ members }) => [...members])
    .map((member) => ({
      name: member.name?.getText(file) ?? '',
      text: member.getText(file),
      end: member.end,
    }));
}

function replaceMembers(source: string, replace: (member: Member) => string): string {
  let code = source;
  for (const member of membersOf(source).reverse()) {
    code = code.slice(0, member.end - member.text.length) + replace(member) + code.slice(member.end);
  }
  return code;
}
