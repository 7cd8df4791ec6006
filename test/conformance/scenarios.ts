import type { Scenario } from "./scenario.ts";
import { access } from "./scenarios/access.ts";
import { badInput } from "./scenarios/bad-input.ts";
import { entries } from "./scenarios/entries.ts";
import { executionLog } from "./scenarios/execution-log.ts";
import { listing } from "./scenarios/listing.ts";
import { records } from "./scenarios/records.ts";
import { schedules } from "./scenarios/schedules.ts";
import { surface } from "./scenarios/surface.ts";
import { templates } from "./scenarios/templates.ts";

export const scenarios: readonly Scenario[] = [
	...entries,
	...listing,
	...schedules,
	...templates,
	...records,
	...executionLog,
	...access,
	...badInput,
	...surface,
];
