import type { Scenario } from "../../scenario.ts";

/**
 * A setting without effect. It gives scenarios about state shared by all tenants, such as the clock and the keys of the
 * vault, a service whose store no other scenario has written to.
 */
const OWN_SERVICE = { RUN_TIMEOUT_MS: "29999" } as const;

export const onOwnService = (scenario: Scenario): Scenario => ({ ...scenario, environment: OWN_SERVICE });
