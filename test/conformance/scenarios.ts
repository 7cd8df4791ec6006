import type { Scenario } from "./scenario.ts";
import { acceptedRuns } from "./scenarios/accepted-runs.ts";
import { access } from "./scenarios/access.ts";
import { badInput } from "./scenarios/bad-input.ts";
import { claims } from "./scenarios/claims.ts";
import { embed } from "./scenarios/embed.ts";
import { entries } from "./scenarios/entries.ts";
import { executionLog } from "./scenarios/execution-log.ts";
import { executor } from "./scenarios/executor.ts";
import { graph } from "./scenarios/graph.ts";
import { internalEntries } from "./scenarios/internal-entries.ts";
import { listeners } from "./scenarios/listening.ts";
import { listing } from "./scenarios/listing.ts";
import { oauth } from "./scenarios/mcp/oauth.ts";
import { mcp } from "./scenarios/mcp.ts";
import { records } from "./scenarios/records.ts";
import { refresh } from "./scenarios/refresh.ts";
import { reports } from "./scenarios/reports.ts";
import { schedules } from "./scenarios/schedules.ts";
import { searching } from "./scenarios/search.ts";
import { surface } from "./scenarios/surface.ts";
import { templates } from "./scenarios/templates.ts";
import { triplets } from "./scenarios/triplets.ts";

export const scenarios: readonly Scenario[] = [
	...entries,
	...listing,
	...schedules,
	...claims,
	...acceptedRuns,
	...internalEntries,
	...listeners,
	...templates,
	...records,
	...executionLog,
	...reports,
	...triplets,
	...graph,
	...refresh,
	...searching,
	...embed,
	...access,
	...badInput,
	...surface,
	...executor,
	...oauth,
	...mcp,
];
