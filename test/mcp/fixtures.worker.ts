import { endpoint } from "./endpoint.ts";
import { fixtures } from "./fixtures.ts";

const { fetch } = endpoint(fixtures);

/** @public What the Workers runtime calls. */
export default { fetch };
