import process from 'node:process';

const [bundler, entry, folder] = process.argv.slice(2);
const { bundle } = await import(`./${bundler}.js`);
await bundle(entry, folder);
