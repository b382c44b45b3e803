import process from 'node:process';
import { runCompiled } from './compiled.js';
import { runScenario } from './scenario.js';

const [given] = process.argv.slice(-1);
const environment = JSON.parse(given);
Promise.all([runScenario(environment), runCompiled(environment)]).then((findings) =>
  console.log(JSON.stringify(Object.assign({}, ...findings))),
);
