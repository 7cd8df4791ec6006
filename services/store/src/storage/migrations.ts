import type { Migration } from "@tripline/platform/migrations";
import { core } from "./migrations/core.ts";
import { eventWaits } from "./migrations/event-waits.ts";
import { executor } from "./migrations/executor.ts";
import { files } from "./migrations/files.ts";
import { parked } from "./migrations/parked.ts";
import { runsOf } from "./migrations/runs-of.ts";
import { search } from "./migrations/search.ts";
import { state } from "./migrations/state.ts";
import { triplets } from "./migrations/triplets.ts";
import { upcoming } from "./migrations/upcoming.ts";
import { vectors } from "./migrations/vectors.ts";
import { versions } from "./migrations/versions.ts";
import { waiting } from "./migrations/waiting.ts";

export const storeMigrations: readonly Migration[] = [
	core,
	search,
	triplets,
	vectors,
	executor,
	upcoming,
	waiting,
	runsOf,
	state,
	files,
	versions,
	parked,
	eventWaits,
];
