import process from 'node:process';
import { ExamClient } from 'exam-service-sdk';
import { countLostCalls } from './lost-calls.js';

const { baseUrl } = JSON.parse(process.argv.at(-1));
const stranger = new ExamClient({ baseUrl, apiKey: 'another-key' });
const findings = await countLostCalls(stranger, (report) => process.on('unhandledRejection', report));
console.log(JSON.stringify(findings));
