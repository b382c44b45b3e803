// What the emulated operations accept: the rules of each input, and what a field is that was left out.

import { webhookEventNames } from '../../../../schemas/webhook-event.ts';
import type { EndpointChanges, NewEndpoint } from '../../domain/endpoints.ts';
import type { ImportedParticipant } from '../../domain/participants.ts';
import * as rule from '../../laravel/validation/rules.ts';
import { form } from '../../laravel/validation/validate.ts';
import type { Assignment, ResultFilter } from '../../state/store.ts';

/** Limits of `limit`, `per_page`, `url` and `description`. */
const MAX_PER_PAGE = 100;
const DEFAULT_LIMIT = 10;
const DEFAULT_DELIVERIES_PER_PAGE = 25;
const MAX_URL_LENGTH = 2048;
const MAX_DESCRIPTION_LENGTH = 255;
/** The length of a text column in Laravel's migrations; undocumented by the service for names and emails. */
const MAX_TEXT_LENGTH = 255;

const name: readonly rule.Rule[] = [rule.string, rule.max(MAX_TEXT_LENGTH)];

/** One participant of an import, which a row of a seed file is too. */
const participantForm = form<ImportedParticipant>({
  email: [rule.required, rule.email, rule.max(MAX_TEXT_LENGTH)],
  name: [rule.required, ...name],
  password: [rule.required, rule.string],
});

const rowRules = Object.entries(participantForm.rules).map(([field, rules]) => [
  `participants.*.${field}`,
  rules,
]);

export const importForm = form<{ readonly participants: readonly ImportedParticipant[] }>({
  participants: [rule.required, rule.array, rule.min(1)],
  ...Object.fromEntries(rowRules),
});

export const participantChangesForm = form<{ readonly name?: string; readonly password?: string }>({
  name,
  password: [rule.string],
});

/** Of the operations on assignments, and of the link. Any integer is an id: one that no record has gets a 404. */
export const pairForm = form<Assignment>({
  participant_id: [rule.required, rule.integer],
  exam_id: [rule.required, rule.integer],
});

const webhookRules = {
  url: [rule.string, rule.url, rule.max(MAX_URL_LENGTH)],
  events: [rule.array, rule.min(1)],
  'events.*': [rule.string, rule.among(webhookEventNames)],
  description: [rule.nullable, rule.string, rule.max(MAX_DESCRIPTION_LENGTH)],
  is_active: [rule.boolean],
} as const;

export const endpointForm = form<NewEndpoint>(
  {
    ...webhookRules,
    url: [rule.required, ...webhookRules.url],
    events: [rule.required, ...webhookRules.events],
  },
  { description: null, is_active: true },
);

export const endpointChangesForm = form<EndpointChanges>({ ...webhookRules, rotate_secret: [rule.boolean] });

/** `event` is not checked: an unknown one means the default. */
export const testForm = form<{ readonly event?: unknown }>({ event: [] });

const pageRules: readonly rule.Rule[] = [rule.integer, rule.min(1)];
const sizeRules: readonly rule.Rule[] = [...pageRules, rule.max(MAX_PER_PAGE)];

interface Paging {
  readonly page: number;
  readonly limit: number;
}

export const listForm = form<Paging>(
  { limit: sizeRules, page: pageRules },
  { limit: DEFAULT_LIMIT, page: 1 },
);

export const resultsForm = form<Paging & ResultFilter>(
  { ...listForm.rules, participant_id: [rule.integer], exam_id: [rule.integer] },
  listForm.defaults,
);

export const deliveriesForm = form<{
  readonly page: number;
  readonly per_page: number;
  readonly event: string | null;
  readonly status: string | null;
}>(
  {
    event: [rule.nullable, rule.string],
    status: [rule.nullable, rule.string],
    per_page: sizeRules,
    page: pageRules,
  },
  { event: null, status: null, per_page: DEFAULT_DELIVERIES_PER_PAGE, page: 1 },
);
