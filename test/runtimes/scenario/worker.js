import { runScenario } from './scenario.js';

export const worker = {
  async fetch(request) {
    return Response.json(await runScenario(await request.json()));
  },
};
