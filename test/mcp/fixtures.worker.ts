import { endpoint } from "./endpoint.ts";
import { fixtures } from "./fixtures.ts";

const { fetch } = endpoint(fixtures);

/** @public The Workers entry point. */
export default { fetch };
