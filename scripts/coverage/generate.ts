// Writes docs/coverage.md: npm run coverage-table
import { readFile, writeFile } from 'node:fs/promises';
import { type ClaimId, claims } from '../../src/cli/verify/claims/claims.ts';
import * as documented from '../../src/cli/verify/documented.ts';
import { assumptions } from './assumptions.ts';
import { evidence } from './evidence.ts';
import { type Place, placeOfRule, placeOfTest, pointerOf, resolvePointer } from './places.ts';

const root = new URL('../../', import.meta.url);

const MEANS = { read: 'yes', write: '`--write`', delivery: '`--listen`', none: 'no' } as const;

/** The text of docs/coverage.md; throws where a place does not exist. */
export async function renderCoverage(): Promise<string> {
  const document: unknown = JSON.parse(await readFile(new URL('spec/openapi.json', root), 'utf8'));
  const entries = Object.entries(claims) as [ClaimId, (typeof claims)[ClaimId]][];
  const sections = [...new Set(entries.map(([, { section }]) => section))];
  const parts: string[] = [];
  for (const section of sections) {
    const rows: string[] = [];
    for (const [id, claim] of entries) {
      if (claim.section !== section) continue;
      const { rule, openapi, test } = evidence[id];
      const pointer = pointerOf(openapi);
      resolvePointer(document, pointer);
      const cells = [claim.says, code(claim.of), linked(await placeOfRule(root, rule)), code(pointer)];
      const shown = [linked(await placeOfTest(root, test)), MEANS[claim.by]];
      rows.push(row([...cells, ...shown]));
      for (const [name, place] of fieldsOf(id)) {
        resolvePointer(document, place);
        rows.push(row([`– ${code(name)}`, '', '', code(place), ...shown]));
      }
    }
    const head = ['Claim', 'Operation', 'Rule', 'In openapi.json', 'Test', 'By `verify`'];
    parts.push(`## ${section}\n\n${table(head, rows)}`);
  }
  return `${INTRODUCTION}\n${parts.join('\n')}\n${await renderAssumptions()}`;
}

const INTRODUCTION = `<!-- Written by npm run coverage-table. -->
# What the service's documentation says, and where it is covered

Each claim of the service's documentation, with the rule of the emulator, the place in [openapi.json](../spec/openapi.json) and a
test that shows it. The last column says whether [\`exam-service-sdk verify\`](verify.md) checks it on a real service.
Where the documentation is silent, something is assumed: [see below](#assumptions).
`;

/** The single fields of a claim about a record, from the schemas by which `verify` decides it. */
function fieldsOf(id: ClaimId): [name: string, pointer: string][] {
  const [schema, place] = records[id] ?? [];
  return Object.keys(schema?.shape ?? {}).map((name) => [
    name,
    `/components/schemas/${place}/properties/${name}`,
  ]);
}

const records: Partial<Record<ClaimId, readonly [schema: { readonly shape: object }, place: string]>> = {
  'result.payload': [documented.completedResult, 'CompletedExamResult'],
  'endpoint.fields': [documented.endpoint, 'WebhookEndpoint'],
  'delivery.fields': [documented.delivery, 'WebhookDelivery'],
  'envelope.fields': [documented.envelope, 'WebhookEnvelope'],
  'deliveries.pagination': [documented.pagination, 'PaginationMeta/properties/pagination'],
  'events.body': [documented.payload, 'ExamResultCompletedEvent'],
};

async function renderAssumptions(): Promise<string> {
  const rows: string[] = [];
  for (const { open, assumed, rule, test } of assumptions) {
    rows.push(
      row([open, assumed, linked(await placeOfRule(root, rule)), linked(await placeOfTest(root, test))]),
    );
  }
  const head = ['The documentation leaves open', 'Assumption', 'Rule', 'Test'];
  return `## Assumptions\n\nNone of this is documented: a real service may do otherwise.\n\n${table(head, rows)}`;
}

function table(head: readonly string[], rows: readonly string[]): string {
  return `${row(head)}\n${row(head.map(() => '---'))}\n${rows.join('\n')}\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

function linked({ path, name }: Place): string {
  return `[${name.replace(/[<>[\]*_]/g, '\\$&')}](../${path})`;
}

if (import.meta.main) await writeFile(new URL('docs/coverage.md', root), await renderCoverage());
