// A TypeDoc plugin: groups the reference by what a reader wants to do, and lists what is thrown with its class, which TypeDoc omits.
// A public symbol belongs to the job of its file, as the folders are made for that; a new file without a job fails the tests.
import {
  Application,
  Comment,
  type CommentDisplayPart,
  CommentTag,
  Converter,
  type DeclarationReflection,
  type Reflection,
  ReflectionKind,
} from 'typedoc';

/** Paths below `src`, or beginnings of them, by job. The first that fits counts. */
const jobs: Readonly<Record<string, readonly string[]>> = {
  'Set up a client': ['client', 'core/options', 'core/operation', 'core/version', 'resources/custom-request'],
  'Import participants': ['jobs/import', 'resources/participants', 'resources/find-by-email'],
  'Assign and send links': ['jobs/assignment', 'resources/exam-participants'],
  'Read exams and results': ['resources/exams', 'resources/exam-results', 'core/pages'],
  'Register webhooks': ['resources/webhook', 'schemas/webhook-types', 'jobs/webhook'],
  'Put a proxy in front of pages': ['proxy'],
  'Read responses': ['core/response', 'core/api-promise', 'core/limit-headers'],
  'Describe undocumented fields': ['core/records', 'resources/schemas', 'util/standard-schema'],
  'Handle errors': [
    'index',
    'core/errors',
    'jobs/errors',
    'webhooks/verify/verification-error',
    'webhooks/explain',
  ],
  'Watch calls and deliveries': ['core/hooks', 'core/log', 'opentelemetry', 'webhooks/receive/hooks'],
  'Receive deliveries': [
    'webhooks/receive',
    'webhooks/deduplicate/handle-once',
    'webhooks/verify/secrets',
    'node',
  ],
  'Handle each event once': ['webhooks/deduplicate'],
  'Recover after an outage': ['webhooks/recover'],
  'Verify by hand': [
    'webhooks/verify/verify',
    'webhooks/verify/signature',
    'webhooks/verify/delivery',
    'webhooks/verify/signature-options',
  ],
  'Know the events': ['webhooks/verify/events', 'webhooks/verify/read-event', 'schemas/webhook-event'],
  'Emulate the service': ['testing/create-emulator', 'testing/emulator', 'testing/msw'],
  'Sign deliveries in tests': ['testing/sign', 'testing/sample-event'],
};

/** Apart, or the page of a module would leave out what it documents under the same job. */
const exportedAgain = 'Also exported here';

export function load(app: Application): void {
  const { converter, logger, options } = app;
  app.on(Application.EVENT_BOOTSTRAP_END, () =>
    options.setValue('categoryOrder', [...Object.keys(jobs), exportedAgain]),
  );
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const classes = new Map(
      project.getReflectionsByKind(ReflectionKind.Class).map((thrown) => [thrown.name, thrown]),
    );
    for (const { comment } of Object.values(project.reflections)) if (comment) listThrown(comment, classes);
    for (const symbol of project.getReflectionsByKind(ReflectionKind.SomeExport)) {
      if (!symbol.isDeclaration() || symbol.parent?.kindOf(ReflectionKind.SomeModule) !== true) continue;
      const path = project.getSymbolIdFromReflection(symbol)?.packagePath ?? '';
      const job = symbol.isReference() ? exportedAgain : jobOf(path);
      if (job === undefined) logger.warn(`${path} has no job in scripts/group-reference.ts.`);
      else commentOf(symbol)?.blockTags.push(new CommentTag('@category', [{ kind: 'text', text: job }]));
    }
  });
}

function jobOf(path: string): string | undefined {
  return Object.keys(jobs).find((job) => jobs[job]?.some((file) => path.startsWith(`src/${file}`)));
}

/** All `@throws {Class} when ...` as one list of links to the classes; those of the language have no page. */
function listThrown(comment: Comment, classes: ReadonlyMap<string, Reflection>): void {
  const thrown = comment.getTags('@throws');
  if (thrown.length === 0) return;
  comment.removeTags('@throws');
  const items = thrown.flatMap(({ typeAnnotation = '', content }): CommentDisplayPart[] => {
    const name = typeAnnotation.slice(1, -1);
    const target = classes.get(name);
    return [
      { kind: 'text', text: '\n- ' },
      target === undefined
        ? { kind: 'code', text: `\`${name}\`` }
        : { kind: 'inline-tag', tag: '@link', text: name, target },
      { kind: 'text', text: ' ' },
      ...content,
    ];
  });
  comment.blockTags.push(new CommentTag('@throws', items));
}

/** The comment of a function is that of its signatures. Where there is none, TypeDoc says so itself. */
function commentOf(symbol: DeclarationReflection): Comment | undefined {
  if (symbol.isReference()) symbol.comment = new Comment();
  return symbol.comment ?? symbol.signatures?.find(({ comment }) => comment)?.comment;
}
