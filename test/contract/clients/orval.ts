// A client by orval.
import {
  examParticipantsAssign,
  participantsImport,
  participantsList,
  webhooksCreate,
} from '../generated/orval.ts';
import { run } from './run.ts';

await run(async ({ baseUrl, apiKey, rows, endpoint, pair }) => {
  // What orval makes calls `fetch` with the paths of the document.
  const send = globalThis.fetch;
  globalThis.fetch = (path, init) => send(baseUrl + String(path), init);
  const headers = { 'X-Client-Key': apiKey };
  const bearer = { Authorization: `Bearer ${apiKey}` };
  const imported = await participantsImport({ participants: rows }, { headers });
  const assigned = await examParticipantsAssign(pair, { headers });
  const listed = await participantsList({ limit: 5 }, { headers });
  const created = await webhooksCreate(endpoint, { headers: bearer });
  const secret: string | undefined = created.status === 201 ? created.data.data.secret : undefined;
  return {
    statuses: [imported, assigned, listed, created].map(({ status }) => status),
    list: listed.data,
    secret,
  };
});
