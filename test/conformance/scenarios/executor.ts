import type { Scenario } from "../scenario.ts";
import { accepting } from "./executor/async.ts";
import { components } from "./executor/components.ts";
import { credentials } from "./executor/credentials.ts";
import { documents } from "./executor/documents.ts";
import { events } from "./executor/events.ts";
import { executions } from "./executor/executions.ts";
import { idempotency } from "./executor/idempotency.ts";
import { legacy } from "./executor/legacy.ts";
import { limits } from "./executor/limits.ts";
import { named } from "./executor/named.ts";
import { queries } from "./executor/queries.ts";
import { executorRecords } from "./executor/records.ts";
import { runs } from "./executor/runs.ts";
import { schedule } from "./executor/schedule.ts";
import { signatures } from "./executor/signatures.ts";
import { storeAccess } from "./executor/store-access.ts";
import { tenancy } from "./executor/tenants.ts";
import { triggers } from "./executor/triggers.ts";
import { webhooks } from "./executor/webhooks.ts";
import { workflowDocuments } from "./executor/workflow-documents.ts";

/** Everything about the executor. */
export const executor: readonly Scenario[] = [
	...documents,
	...webhooks,
	...triggers,
	...runs,
	...executorRecords,
	...tenancy,
	...storeAccess,
	...components,
	...named,
	...workflowDocuments,
	...legacy,
	...executions,
	...schedule,
	...events,
	...accepting,
	...idempotency,
	...signatures,
	...limits,
	...queries,
	...credentials,
];
