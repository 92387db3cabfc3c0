// Its journeys wait for services more than they compute.
module.exports = { ...require('../../jest.base.js'), maxWorkers: 2 };
