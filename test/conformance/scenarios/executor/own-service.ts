import type { Scenario } from "../../scenario.ts";

/**
 * A setting that changes nothing: it gives scenarios about what is every tenant's, such as the clock and the vault's
 * keys, a service whose store no other scenario has written to.
 */
const OWN_SERVICE = { RUN_TIMEOUT_MS: "29999" } as const;

export const onOwnService = (scenario: Scenario): Scenario => ({ ...scenario, environment: OWN_SERVICE });
