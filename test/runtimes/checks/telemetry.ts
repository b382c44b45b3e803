import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check, Findings } from '../lib/check.ts';
import { command, programOf, versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { compileEach, compilers } from './compile.ts';
import { bundleWithEsbuild } from './esbuild.ts';
import { nodes, quietNode } from './nodes.ts';

const file = 'scenario/telemetry-command.js';

const sdk = `OpenTelemetry SDK ${versionOf('@opentelemetry/sdk-trace')}`;

const formats = { import: async () => file, require: asCommonJs };

/** The entry for OpenTelemetry with the current SDK on every Node, and its types with every compiler. */
export function telemetryChecks(project: ForeignProject): Check[] {
  const table = 'OpenTelemetry';
  return [
    ...nodes.flatMap((node) =>
      Object.entries(formats).map(
        ([format, prepare]): Check => ({
          table,
          row: `${sdk}, Node ${versionOf(node)}, ${format}`,
          columns: ['spans', 'traceparent', 'metrics', 'no propagator needed'],
          isListed: false,
          async run(signal) {
            const parameters = [...quietNode.parameters, await prepare(project)];
            const options = { cwd: project.folder, signal, quiet: true, env: quietNode.env };
            return JSON.parse(await command(programOf(node, 'node'), parameters, options)) as Findings;
          },
        }),
      ),
    ),
    ...compilers.map(
      (compiler): Check => ({
        table,
        row: `${sdk}, types, TypeScript ${versionOf(compiler)}`,
        columns: Object.keys(settings),
        isListed: false,
        async run(signal) {
          await writeFile(join(project.folder, 'types', 'telemetry.ts'), source);
          const compilations = Object.values(settings).map((options, index) => {
            return { compiler, name: `telemetry-${index}`, files: ['telemetry.ts'], options };
          });
          const outcomes = await compileEach(project, compilations, signal);
          return Object.fromEntries(
            Object.keys(settings).map((column, index) => [column, outcomes[index] ?? '']),
          );
        },
      }),
    ),
  ];
}

const settings = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext', exactOptionalPropertyTypes: true },
  bundler: { module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: false },
};

/** Generated, because the SDK is missing when the repository is type-checked: it is installed later. */
const source = `
import { metrics, trace } from '@opentelemetry/api';
import { ExamClient } from 'exam-service-sdk';
import { openTelemetry } from 'exam-service-sdk/opentelemetry';
import { createWebhookHandler } from 'exam-service-sdk/webhooks';

const hooks = openTelemetry({ tracerProvider: trace.getTracerProvider(), meterProvider: metrics.getMeterProvider() });
new ExamClient({ hooks });
new ExamClient({ hooks: [hooks, { onEnd: ({ callId, outcome, durationMs }) => [callId, outcome, durationMs] }] });
createWebhookHandler({ secret: 'whsec_test', hooks, onUnknown: () => {} });
createWebhookHandler({ secret: 'whsec_test', onUnknown: () => {}, hooks: [hooks, { onEnd: ({ deliveryId, reason }) => [deliveryId, reason] }] });
// @ts-expect-error: the types of the API are there, so this is no provider
openTelemetry({ tracerProvider: metrics.getMeterProvider() });
// @ts-expect-error: no such option
openTelemetry({ traceProvider: trace.getTracerProvider() });
`;

/** The same program, compiled so that it requires the package. */
async function asCommonJs(project: ForeignProject): Promise<string> {
  const target = join(await project.subfolder('telemetry-required'), 'command.js');
  const parameters = ['--format=cjs', '--platform=node', '--packages=external', `--outfile=${target}`];
  await bundleWithEsbuild([file, ...parameters], { cwd: project.folder });
  return target;
}
