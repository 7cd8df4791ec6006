import type { Clock } from "@tripline/platform/clock";
import type { EntryStorage } from "../storage/entries.ts";
import type { ExecutionLogStorage } from "../storage/execution-log.ts";
import type { PartnerKeyStorage } from "../storage/partner-keys.ts";
import type { RecordStorage } from "../storage/records.ts";
import type { TemplateStorage } from "../storage/templates.ts";

/** What the store's handlers work with. */
export interface StoreParts {
	readonly entries: EntryStorage;
	readonly templates: TemplateStorage;
	readonly records: RecordStorage;
	readonly executionLog: ExecutionLogStorage;
	readonly partnerKeys: PartnerKeyStorage;
	readonly clock: Clock;
	readonly dailyLogLimit: number;
}
