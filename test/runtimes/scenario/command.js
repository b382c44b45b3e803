import process from 'node:process';
import { runScenario } from './scenario.js';

// The last argument of the command line, wherever the runtime keeps it. Without `await`, so that it can be CommonJS.
const [given] = process.argv.slice(-1);
runScenario(JSON.parse(given)).then((findings) => console.log(JSON.stringify(findings)));
