import webpack from 'webpack';

export async function bundle(entry, folder) {
  const stats = await new Promise((resolve, reject) => {
    const settings = {
      mode: 'production',
      optimization: { minimize: false },
      entry: { app: entry },
      output: { path: folder, filename: '[name].js' },
    };
    webpack(settings, (error, result) => (error ? reject(error) : resolve(result)));
  });
  if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
}
