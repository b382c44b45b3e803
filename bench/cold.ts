// Measures how long the package and its peers take to be imported and to make a first call.

import { execFileSync } from 'node:child_process';

/** How each is imported, and how a first list is asked of it then, with a fetch that only answers. */
const starts: Record<string, { readonly load: string; readonly call?: string }> = {
  'nothing (an empty module)': { load: '' },
  'exam-service-sdk': {
    load: "const { ExamClient } = await import('exam-service-sdk')",
    call: 'await new ExamClient({ baseUrl, apiKey, fetch }).exams.list()',
  },
  'exam-service-sdk/webhooks': { load: "await import('exam-service-sdk/webhooks')" },
  ky: { load: "const { default: ky } = await import('ky')", call: 'await ky(baseUrl, { fetch }).json()' },
  openai: {
    load: "const { default: OpenAI } = await import('openai')",
    call: 'await new OpenAI({ baseURL: baseUrl, apiKey, fetch }).models.list()',
  },
  stripe: {
    load: "const { default: Stripe } = await import('stripe')",
    call: 'await new Stripe(apiKey, { httpClient: Stripe.createFetchHttpClient(fetch) }).customers.list()',
  },
  octokit: {
    load: "const { Octokit } = await import('@octokit/core')",
    call: "await new Octokit({ baseUrl, request: { fetch } }).request('GET /exams')",
  },
  mistral: {
    load: `const { Mistral } = await import('@mistralai/mistralai');
      const { HTTPClient } = await import('@mistralai/mistralai/lib/http.js')`,
    call: 'await new Mistral({ apiKey, httpClient: new HTTPClient({ fetcher: fetch }) }).models.list()',
  },
};

const script = ({ load, call = '' }: { load: string; call?: string }) => `
  const baseUrl = 'http://localhost/api/v1';
  const apiKey = 'benchmark-key-0123456789';
  const fetch = async () => Response.json({ object: 'list', has_more: false, data: [] });
  const start = performance.now();
  ${load};
  const loaded = performance.now();
  ${call};
  console.log(JSON.stringify({ load: loaded - start, call: performance.now() - start }));`;

/**
 * Milliseconds of an import, and of an import with a first request, each in a new process: the median of `runs`. The
 * processes take turns, so that a busy moment of the machine meets all alike.
 */
export function measureColdStart(runs = 15): Record<'load' | 'call', Record<string, number>> {
  const times: Record<string, { load: number; call: number }[]> = {};
  for (let run = 0; run < runs; run += 1) {
    for (const [name, start] of Object.entries(starts)) {
      const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script(start)], {
        cwd: import.meta.dirname,
        encoding: 'utf8',
      });
      times[name] = [...(times[name] ?? []), JSON.parse(output)];
    }
  }
  const medians = (key: 'load' | 'call', names: string[]) =>
    Object.fromEntries(names.map((name) => [name, median((times[name] ?? []).map((time) => time[key]))]));
  const names = Object.keys(starts);
  return {
    load: medians('load', names),
    call: medians(
      'call',
      names.filter((name) => starts[name]?.call),
    ),
  };
}

function median(values: ReadonlyArray<number>): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
