import { journalMigrations } from "./journal.sql.ts";
import { keptMigrations } from "./kept.sql.ts";
import type { Migration } from "./migrations.ts";

/** The executor's own database: what is recorded of runs in progress, and the data of runs that have ended. */
export const executorMigrations: readonly Migration[] = [...journalMigrations, ...keptMigrations].sort(
	(one, other) => one.version - other.version,
);
