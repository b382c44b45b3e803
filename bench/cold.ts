import { execFileSync } from 'node:child_process';

const imports: Record<string, string> = {
  'nothing (an empty module)': '',
  'exam-service-sdk': "await import('exam-service-sdk')",
  'exam-service-sdk/webhooks': "await import('exam-service-sdk/webhooks')",
  ky: "await import('ky')",
  openai: "await import('openai')",
  stripe: "await import('stripe')",
  octokit: "await import('@octokit/core')",
  mistral: "await import('@mistralai/mistralai')",
};

const firstCall = `
  const { ExamClient } = await import('exam-service-sdk');
  const answer = async () => Response.json({ data: [{ id: 1 }] });
  await new ExamClient({ baseUrl: 'http://localhost/api/v1', apiKey: 'k', fetch: answer }).exams.list();`;

/** Milliseconds of an import in a new process, the median of `runs`; the processes take turns. */
export function measureColdStart(runs = 11): Record<string, number> {
  const times = new Map<string, number[]>();
  for (let run = 0; run < runs; run += 1) {
    for (const [name, code] of Object.entries({
      ...imports,
      'exam-service-sdk, with a first request': firstCall,
    })) {
      const script = `const start = performance.now(); ${code}; console.log(performance.now() - start)`;
      const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: import.meta.dirname,
        encoding: 'utf8',
      });
      times.set(name, [...(times.get(name) ?? []), Number(output)]);
    }
  }
  return Object.fromEntries([...times].map(([name, list]) => [name, median(list)]));
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
