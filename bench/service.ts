// The service that `iterate.ts` reads from: 200 pages, each sent after 20 ms.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { rowOf } from './rows.ts';

const pages = 200;
const perPage = 100;
const latency = 20;

/** Lists in each contender's own way of paging: by page number, by the id of the last item, by Link header. */
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`);
  const after = url.searchParams.get('after') ?? url.searchParams.get('starting_after');
  const page =
    after === null ? Number(url.searchParams.get('page') ?? 1) : Math.floor(Number(after) / perPage) + 1;
  const data = Array.from({ length: perPage }, (_, index) => {
    const row = rowOf((page - 1) * perPage + index);
    return after === null && !url.pathname.includes('customers') && !url.pathname.includes('files')
      ? row
      : { ...row, id: String(row['id']) };
  });
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  response.setHeader('Content-Type', 'application/json');
  if (page < pages) response.setHeader('Link', `<${next.href}>; rel="next"`);
  const meta = { current_page: page, last_page: pages, per_page: perPage, total: pages * perPage };
  setTimeout(
    () => response.end(JSON.stringify({ object: 'list', has_more: page < pages, data, meta })),
    latency,
  );
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
