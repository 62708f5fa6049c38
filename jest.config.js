const jupyterlab = require('@jupyterlab/testutils/lib/jest-config');

// Packages that ship ES modules only: Jest has to compile them.
const esModules = [
  '@codemirror',
  '@jupyter/',
  '@jupyterlab/',
  '@microsoft/',
  '@rjsf/',
  'exenv-es6',
  'lib0',
  'nanoid',
  'vscode-ws-jsonrpc',
  'y-protocols',
  'y-websocket',
  'yjs'
].join('|');

module.exports = {
  ...jupyterlab(__dirname),
  collectCoverageFrom: ['src/**/*.{ts,tsx}', '!src/__tests__/**'],
  modulePathIgnorePatterns: [
    '<rootDir>/mle_modernizer_server/labextension',
    '<rootDir>/lib',
    '<rootDir>/.venv',
    '<rootDir>/build'
  ],
  reporters: ['default'],
  setupFilesAfterEnv: ['<rootDir>/src/__tests__/setup.ts'],
  // Against hanging; a machine that does something else beside them is no failure.
  testTimeout: 60000,
  testRegex: 'src/__tests__/.*\\.spec\\.(tsx?|js)$',
  transformIgnorePatterns: [`/node_modules/(?!${esModules}).+`]
};
