import type { Scenario } from "./scenario.ts";
import { access } from "./scenarios/access.ts";
import { badInput } from "./scenarios/bad-input.ts";
import { embed } from "./scenarios/embed.ts";
import { entries } from "./scenarios/entries.ts";
import { executionLog } from "./scenarios/execution-log.ts";
import { graph } from "./scenarios/graph.ts";
import { listing } from "./scenarios/listing.ts";
import { records } from "./scenarios/records.ts";
import { refresh } from "./scenarios/refresh.ts";
import { schedules } from "./scenarios/schedules.ts";
import { searching } from "./scenarios/search.ts";
import { surface } from "./scenarios/surface.ts";
import { templates } from "./scenarios/templates.ts";
import { triplets } from "./scenarios/triplets.ts";

export const scenarios: readonly Scenario[] = [
	...entries,
	...listing,
	...schedules,
	...templates,
	...records,
	...executionLog,
	...triplets,
	...graph,
	...refresh,
	...searching,
	...embed,
	...access,
	...badInput,
	...surface,
];
