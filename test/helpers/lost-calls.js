import process from 'node:process';
import { ExamClient } from '../../src/index.ts';
import { countLostCalls } from '../runtimes/scenario/lost-calls.js';

// What the packed package is asked in every runtime, asked of the source.
const fetch = async () => new Response(null, { status: 401 });
const stranger = new ExamClient({ baseUrl: 'https://h.test/api/v1', apiKey: 'another-key', fetch });
const findings = await countLostCalls(stranger, (report) => process.on('unhandledRejection', report));
console.log(JSON.stringify(findings));
