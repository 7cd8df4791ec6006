/** Loaded into the process of every test file, because the test runner waits forever for one that does not end. */
const MAX_FILE_MINUTES = 20;

setTimeout(() => {
	console.error(`${process.argv[1]} has not ended after ${MAX_FILE_MINUTES} minutes`);
	process.exit(1);
}, MAX_FILE_MINUTES * 60_000).unref();
