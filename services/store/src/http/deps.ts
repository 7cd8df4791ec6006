import type { Clock } from "@tripline/platform/clock";
import type { StoreSettings } from "../settings.ts";
import type { AcceptedRunStorage } from "../storage/accepted-runs.ts";
import type { ConversationStorage } from "../storage/conversations.ts";
import type { DeletedWorkflowStorage } from "../storage/deleted-workflows.ts";
import type { EntryStorage } from "../storage/entries.ts";
import type { ExecutionLogStorage } from "../storage/execution-log.ts";
import type { ExecutionReportStorage } from "../storage/execution-reports.ts";
import type { FileStorage } from "../storage/files.ts";
import type { GraphStorage } from "../storage/graph.ts";
import type { PartnerKeyStorage } from "../storage/partner-keys.ts";
import type { ProcessStorage } from "../storage/processes.ts";
import type { RecordStorage } from "../storage/records.ts";
import type { RunLeaseStorage } from "../storage/run-leases.ts";
import type { ScheduleStorage } from "../storage/schedules.ts";
import type { SearchStorage } from "../storage/search.ts";
import type { StateStorage } from "../storage/state.ts";
import type { TemplateStorage } from "../storage/templates.ts";
import type { TripletStorage } from "../storage/triplets.ts";
import type { UsageStorage } from "../storage/usage.ts";
import type { WaitStorage } from "../storage/waits.ts";
import type { WorkflowDraftStorage } from "../storage/workflow-drafts.ts";
import type { WorkflowVersionStorage } from "../storage/workflow-versions.ts";
import type { WorkflowStorage } from "../storage/workflows.ts";
import type { SemanticIndex } from "../vectors/semantic-index.ts";
import type { Announce } from "./announce.ts";

/** The dependencies of the store's route handlers. */
export interface StoreParts {
	readonly entries: EntryStorage;
	readonly templates: TemplateStorage;
	readonly records: RecordStorage;
	readonly executionLog: ExecutionLogStorage;
	readonly executionReports: ExecutionReportStorage;
	readonly partnerKeys: PartnerKeyStorage;
	readonly triplets: TripletStorage;
	readonly graph: GraphStorage;
	readonly search: SearchStorage;
	readonly semantic: SemanticIndex;
	readonly schedules: ScheduleStorage;
	readonly acceptedRuns: AcceptedRunStorage;
	readonly waits: WaitStorage;
	readonly state: StateStorage;
	readonly conversations: ConversationStorage;
	readonly processes: ProcessStorage;
	readonly runLeases: RunLeaseStorage;
	readonly files: FileStorage;
	readonly usage: UsageStorage;
	readonly workflows: WorkflowStorage;
	readonly workflowVersions: WorkflowVersionStorage;
	readonly workflowDrafts: WorkflowDraftStorage;
	readonly deletedWorkflows: DeletedWorkflowStorage;
	readonly announce: Announce;
	readonly clock: Clock;
	readonly settings: StoreSettings;
	/** Only for addresses configured by the operator. */
	fetch(url: string, init: RequestInit): Promise<Response>;
}
