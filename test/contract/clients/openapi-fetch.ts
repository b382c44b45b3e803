// A client by openapi-typescript and openapi-fetch.
import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/openapi-typescript.ts';
import { run } from './run.ts';

type Assignment = components['schemas']['Assignment'];

await run(async ({ baseUrl, apiKey, rows, endpoint, pair }) => {
  const client = createClient<paths>({ baseUrl });
  const headers = { 'X-Client-Key': apiKey };
  const bearer = { Authorization: `Bearer ${apiKey}` };
  const imported = await client.POST('/participants/import', { headers, body: { participants: rows } });
  const body: Assignment = pair;
  const assigned = await client.POST('/exam-participants/assign', { headers, body });
  const listed = await client.GET('/participants', { headers, params: { query: { limit: 5 } } });
  const created = await client.POST('/webhooks', { headers: bearer, body: endpoint });
  const secret: string | undefined = created.data?.data.secret;
  return {
    statuses: [imported, assigned, listed, created].map(({ response }) => response.status),
    list: listed.data,
    secret,
  };
});
