module.exports = { ...require('../../jest.base.js'), testEnvironmentOptions: { mustClose: true } };
