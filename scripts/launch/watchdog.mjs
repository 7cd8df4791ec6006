/**
 * Loaded into the test runner and the process of every test file, because the runner waits forever for one that does not
 * end. The file ends first, so that the output names it.
 */
const isTestFile = process.env.NODE_TEST_CONTEXT !== undefined;
const MAX_MINUTES = isTestFile ? 15 : 40;

setTimeout(() => {
	console.error(`${process.argv[1]} has not ended after ${MAX_MINUTES} minutes`);
	process.exit(1);
}, MAX_MINUTES * 60_000).unref();
