import process from 'node:process';
import { runFetchScenario } from './fetch.js';

const [library, names, surroundings] = process.argv.slice(2);
const findings = await runFetchScenario(library, JSON.parse(names), JSON.parse(surroundings));
console.log(JSON.stringify(findings));
