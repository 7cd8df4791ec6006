import hooks from "node:async_hooks";

/**
 * Node's test runner follows every promise to the test that made it, which takes a tenth of the time of a service in the
 * same process. Only an error that nobody awaits needs it: without, it fails the file instead of one test. Suites must
 * therefore declare their tests before they await anything.
 */
const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
