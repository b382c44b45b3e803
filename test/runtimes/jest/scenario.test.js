const { writeFileSync } = require('node:fs');
const process = require('node:process');
const { runScenario } = require('./scenario.js');

test('the scenario runs', async () => {
  const findings = await runScenario(JSON.parse(process.env.TEST_ENVIRONMENT));
  writeFileSync(process.env.FINDINGS, JSON.stringify(findings));
});
