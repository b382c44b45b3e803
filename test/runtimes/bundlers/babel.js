// Compiles every module of the package for old engines, as apps do: from its folder `dist` into another.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { transformAsync } from '@babel/core';

const presets = {
  'preset-env': ['@babel/preset-env', { targets: 'ie 11', modules: 'commonjs' }],
  'react-native': ['@react-native/babel-preset', { enableBabelRuntime: false }],
  // As for engines without classes: older versions of React Native do this for every engine.
  'react-native-es5': [
    '@react-native/babel-preset',
    { enableBabelRuntime: false, unstable_transformProfile: 'default' },
  ],
};

const [preset, dist, folder] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
for (const name of await readdir(dist)) {
  if (!name.endsWith('.js')) continue;
  const settings = { presets: [presets[preset]], babelrc: false, configFile: false, compact: false };
  const source = await readFile(join(dist, name), 'utf8');
  const { code } = await transformAsync(source, { ...settings, filename: join(dist, name) });
  await writeFile(join(folder, name), code);
}
