import process from 'node:process';
import { runFetchScenario } from './fetch.js';

const [library, names, environment] = process.argv.slice(2);
const findings = await runFetchScenario(library, JSON.parse(names), JSON.parse(environment));
console.log(JSON.stringify(findings));
