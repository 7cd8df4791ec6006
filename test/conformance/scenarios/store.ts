import type { Scenario } from "../scenario.ts";
import { acceptedRuns } from "./store/accepted-runs.ts";
import { access } from "./store/access.ts";
import { badInput } from "./store/bad-input.ts";
import { claims } from "./store/claims.ts";
import { embed } from "./store/embed.ts";
import { entries } from "./store/entries.ts";
import { executionLog } from "./store/execution-log.ts";
import { files } from "./store/files.ts";
import { filtering } from "./store/filtering.ts";
import { graph } from "./store/graph.ts";
import { internalEntries } from "./store/internal-entries.ts";
import { listeners } from "./store/listening.ts";
import { listing } from "./store/listing.ts";
import { records } from "./store/records.ts";
import { refresh } from "./store/refresh.ts";
import { reports } from "./store/reports.ts";
import { runLeases } from "./store/run-leases.ts";
import { schedules } from "./store/schedules.ts";
import { searching } from "./store/search.ts";
import { state } from "./store/state.ts";
import { surface } from "./store/surface.ts";
import { templates } from "./store/templates.ts";
import { triplets } from "./store/triplets.ts";
import { waits } from "./store/waits.ts";
import { workflowVersions } from "./store/workflow-versions.ts";

export const store: readonly Scenario[] = [
	...entries,
	...listing,
	...filtering,
	...schedules,
	...claims,
	...acceptedRuns,
	...runLeases,
	...waits,
	...files,
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
	...state,
	...surface,
	...workflowVersions,
];
