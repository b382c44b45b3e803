// What the emulated operations accept: the rules of each input, and its values once they are kept.

import { webhookEventNames } from '../../../../schemas/webhook-event.ts';
import type { EndpointChanges } from '../../domain/endpoints.ts';
import type { ImportedParticipant } from '../../domain/participants.ts';
import type { Fields } from '../../laravel/input/php-names.ts';
import type { Rule, RuleSet } from '../../laravel/validation/rules.ts';
import type { Form } from '../../laravel/validation/validate.ts';
import type { Pair, ResultFilter } from '../../state/store.ts';

/** Limits of `limit`, `per_page`, `url` and `description`. */
const MAX_PER_PAGE = 100;
const DEFAULT_LIMIT = 10;
const DEFAULT_DELIVERIES_PER_PAGE = 25;
const MAX_URL_LENGTH = 2048;
const MAX_DESCRIPTION_LENGTH = 255;
/** The length of a text column in Laravel's migrations; undocumented by the service for names and emails. */
const MAX_TEXT_LENGTH = 255;

const name: readonly Rule[] = ['string', { max: MAX_TEXT_LENGTH }];
const emailRules: readonly Rule[] = ['required', 'email', { max: MAX_TEXT_LENGTH }];
const filled = (rules: readonly Rule[]): readonly Rule[] => ['required', ...rules];

/** One participant of an import, which a row of a seed file is too. */
export const participantForm: Form<ImportedParticipant> = {
  rules: { email: emailRules, name: filled(name), password: filled(['string']) },
  read: ({ email, name, password }) => ({
    email: String(email),
    name: String(name),
    password: String(password),
  }),
};

export const importForm: Form<{ readonly participants: readonly ImportedParticipant[] }> = {
  rules: {
    participants: ['required', 'array', { min: 1 }],
    ...Object.fromEntries(
      Object.entries(participantForm.rules).map(([field, rules]) => [`participants.*.${field}`, rules]),
    ),
  },
  read: ({ participants }) => ({
    participants: Object.values(Object(participants)).map((row) => participantForm.read(Object(row))),
  }),
};

export const participantChangesForm: Form<{ readonly name?: string; readonly password?: string }> = {
  rules: { name, password: ['string'] },
  read: (input) => ({ ...given(input, 'name', String), ...given(input, 'password', String) }),
};

/** Any integer is one: an id that no record has gets a 404. */
const pairRules: RuleSet = { participant_id: ['required', 'integer'], exam_id: ['required', 'integer'] };

/** Of the operations on assignments, and of the link. */
export const pairForm: Form<Pair> = {
  rules: pairRules,
  read: (input) => ({ participant_id: Number(input['participant_id']), exam_id: Number(input['exam_id']) }),
};

const webhookRules = {
  url: ['string', 'url', { max: MAX_URL_LENGTH }],
  events: ['array', { min: 1 }],
  'events.*': ['string', { in: webhookEventNames }],
  description: ['nullable', 'string', { max: MAX_DESCRIPTION_LENGTH }],
  is_active: ['boolean'],
} as const satisfies RuleSet;

interface NewEndpoint {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
  readonly is_active: boolean;
}

export const endpointForm: Form<NewEndpoint> = {
  rules: { ...webhookRules, url: filled(webhookRules.url), events: filled(webhookRules.events) },
  read: (input) => ({
    url: String(input['url']),
    events: texts(input['events']),
    description: textOrNull(input['description']),
    is_active: input['is_active'] === undefined || truth(input['is_active']),
  }),
};

export const endpointChangesForm: Form<EndpointChanges> = {
  rules: { ...webhookRules, rotate_secret: ['boolean'] },
  read: (input) => ({
    ...given(input, 'url', String),
    ...given(input, 'events', texts),
    ...given(input, 'description', textOrNull),
    ...given(input, 'is_active', truth),
    ...given(input, 'rotate_secret', truth),
  }),
};

/** `event` is not checked: an unknown one means the default. */
export const testForm: Form<{ readonly event: unknown }> = { rules: {}, read: ({ event }) => ({ event }) };

export interface PageInput {
  readonly page: number;
  readonly perPage: number;
}

const pageRules: readonly Rule[] = ['integer', { min: 1 }];
const sizeRules: readonly Rule[] = [...pageRules, { max: MAX_PER_PAGE }];
const readPage = (input: Fields, size: string, fallback: number): PageInput => ({
  page: Number(input['page'] ?? 1),
  perPage: Number(input[size] ?? fallback),
});

export const listForm: Form<PageInput> = {
  rules: { limit: sizeRules, page: pageRules },
  read: (input) => readPage(input, 'limit', DEFAULT_LIMIT),
};

export const resultsForm: Form<PageInput & ResultFilter> = {
  rules: { ...listForm.rules, participant_id: ['integer'], exam_id: ['integer'] },
  read: (input) => ({
    ...listForm.read(input),
    ...given(input, 'participant_id', Number),
    ...given(input, 'exam_id', Number),
  }),
};

export const deliveriesForm: Form<
  PageInput & { readonly event: string | null; readonly status: string | null }
> = {
  rules: {
    event: ['nullable', 'string'],
    status: ['nullable', 'string'],
    per_page: sizeRules,
    page: pageRules,
  },
  read: (input) => ({
    ...readPage(input, 'per_page', DEFAULT_DELIVERIES_PER_PAGE),
    event: textOrNull(input['event']),
    status: textOrNull(input['status']),
  }),
};

/** The field, if it is there. */
function given<Name extends string, T>(
  input: Fields,
  name: Name,
  read: (value: unknown) => T,
): Partial<Record<Name, T>> {
  return input[name] === undefined ? {} : ({ [name]: read(input[name]) } as Partial<Record<Name, T>>);
}

function textOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}

function texts(value: unknown): string[] {
  return Object.values(Object(value)).map(String);
}

/** A value that keeps the rule `boolean`. */
function truth(value: unknown): boolean {
  return value === true || Number(value) === 1;
}
