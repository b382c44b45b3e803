// The clients that are compared: this package, its peers, and the least that any client has to do.

import { Mistral } from '@mistralai/mistralai';
import { HTTPClient } from '@mistralai/mistralai/lib/http.js';
import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { ExamClient } from 'exam-service-sdk';
import ky from 'ky';
import OpenAI from 'openai';
import Stripe from 'stripe';

/** A fetch that a client is to use in place of the platform's. */
export type AnyFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A client of the comparison: one call for a list, and its iterator over all pages where it has one. */
export interface Contender {
  readonly list: () => Promise<unknown>;
  readonly iterate?: () => AsyncIterable<unknown>;
}

const apiKey = 'benchmark-key-0123456789';

/** Every contender against the same address, by the same fetch. The floor is what nobody can do without. */
export function createContenders(origin: string, fetch: AnyFetch): Record<string, Contender> {
  const baseUrl = `${origin}/api/v1`;
  const exam = new ExamClient({ baseUrl, apiKey, fetch, maxRetries: 0 });
  const bare = ky.create({ fetch: fetch as typeof globalThis.fetch, retry: 0, timeout: 30_000 });
  const openai = new OpenAI({ apiKey, baseURL: baseUrl, fetch, maxRetries: 0 });
  const { hostname, port } = new URL(origin);
  const stripe = new Stripe(apiKey, {
    httpClient: Stripe.createFetchHttpClient(fetch as typeof globalThis.fetch),
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
  const octokit = new (Octokit.plugin(paginateRest))({ auth: apiKey, baseUrl, request: { fetch } });
  const mistral = new Mistral({ apiKey, serverURL: origin, httpClient: new HTTPClient({ fetcher: fetch }) });
  const headers = { 'X-Client-Key': apiKey, Accept: 'application/json' };
  const pageOf = async (page: number) =>
    JSON.parse(await (await fetch(`${baseUrl}/exams?page=${page}&limit=100`, { headers })).text());
  return {
    floor: { list: () => pageOf(1) },
    ky: { list: () => bare.get(`${baseUrl}/exams?page=1&limit=100`, { headers }).json() },
    'exam-service-sdk': {
      list: () => exam.exams.list({ page: 1, limit: 100 }),
      iterate: () => exam.exams.list({ limit: 100 }),
    },
    'exam-service-sdk, 8 pages ahead': {
      list: () => exam.exams.list({ page: 1, limit: 100 }),
      iterate: () => exam.exams.list({ limit: 100 }, { concurrency: 8 }),
    },
    openai: {
      list: () => openai.models.list(),
      iterate: () => openai.files.list({ limit: 100 }),
    },
    stripe: {
      list: () => stripe.customers.list({ limit: 100 }),
      iterate: () => stripe.customers.list({ limit: 100 }),
    },
    octokit: {
      list: () => octokit.request('GET /exams', { page: 1, limit: 100 }),
      iterate: () => octokit.paginate.iterator('GET /exams', { per_page: 100 }),
    },
    mistral: { list: () => mistral.models.list() },
  };
}
