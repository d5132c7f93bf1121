module.exports = { globalSetup: 'crossborder-sandbox/jest/setup', globalTeardown: 'crossborder-sandbox/jest/teardown' };
