// A client by @hey-api/openapi-ts.
import { client } from '../generated/hey-api/client.gen.ts';
import {
  examParticipantsAssign,
  participantsImport,
  participantsList,
  webhooksCreate,
} from '../generated/hey-api/index.ts';
import { run } from './run.ts';

await run(async ({ baseUrl, apiKey, rows, endpoint, pair }) => {
  client.setConfig({ baseUrl, auth: () => apiKey });
  const imported = await participantsImport({ body: { participants: rows } });
  const assigned = await examParticipantsAssign({ body: pair });
  const listed = await participantsList({ query: { limit: 5 } });
  const created = await webhooksCreate({ body: endpoint });
  const secret: string | undefined = created.data?.data.secret;
  return {
    statuses: [imported, assigned, listed, created].map(({ response }) => response?.status),
    list: listed.data,
    secret,
  };
});
