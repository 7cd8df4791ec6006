import type { Clock } from "@tripline/platform/clock";
import type { Turns } from "@tripline/platform/turns";
import type { StoreClient } from "@tripline/store/client";
import type { Catalogues } from "../catalogue/catalogues.ts";
import type { DescriptionImports } from "../catalogue/import-description.ts";
import type { Installs } from "../catalogue/install.ts";
import type { FileLinks } from "../files/links.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import type { KeepDefaults } from "../kept/defaults.ts";
import type { KeptRunData } from "../kept/kept-data.ts";
import type { MailTriggers } from "../mail/mailboxes.ts";
import type { McpServers } from "../mcp-servers/servers.ts";
import type { AcceptedRuns } from "../runs/accepted.ts";
import type { Events } from "../runs/events.ts";
import type { HeldRuns } from "../runs/held-runs.ts";
import type { Replays } from "../runs/replay.ts";
import type { Webhooks } from "../runs/webhooks.ts";
import type { ExecutorSettings } from "../settings.ts";
import type { MailboxStates } from "../storage/mailbox-states.ts";
import type { OwnedComponentStorage } from "../storage/owned-components.ts";
import type { PollStates } from "../storage/poll-states.ts";
import type { WebhookStorage } from "../storage/webhooks.ts";
import type { Vault } from "../vault/vault.ts";
import type { Questions } from "../waits/questions.ts";
import type { Drafts } from "../workflows/drafts.ts";
import type { WorkflowFinder } from "../workflows/find.ts";
import type { LegacyWorkflows } from "../workflows/legacy.ts";
import type { Provided } from "../workflows/needs.ts";
import type { SavedWorkflows } from "../workflows/saved.ts";
import type { StoredWorkflows } from "../workflows/stored.ts";
import type { Versions } from "../workflows/versions.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Tenants } from "./tenants.ts";
import type { TriggerDeps, TriggerRun } from "./trigger.ts";
import type { WatchRun } from "./watch.ts";

/** The dependencies of the routes. */
export interface ExecutorParts extends TriggerDeps {
	readonly clock: Clock;
	readonly settings: ExecutorSettings;
	readonly store: StoreClient;
	readonly vault: Vault;
	readonly tenants: Tenants;
	readonly catalogues: Catalogues;
	readonly ownedComponents: OwnedComponentStorage;
	readonly installs: Installs;
	readonly mcpServers: McpServers;
	readonly descriptions: DescriptionImports;
	readonly webhookStorage: WebhookStorage;
	readonly webhooks: Webhooks;
	/** Limits webhooks created without a tenant, by the caller's address. */
	readonly anonymousRate: RateLimit;
	/** Limits posts of forms, by the caller's address. */
	readonly formRate: RateLimit;
	readonly files: StoredFiles;
	readonly links: FileLinks;
	readonly saved: SavedWorkflows;
	readonly stored: StoredWorkflows;
	readonly legacy: LegacyWorkflows;
	readonly versions: Versions;
	readonly drafts: Drafts;
	readonly finder: WorkflowFinder;
	readonly provided: Provided;
	readonly pollStates: PollStates;
	readonly mailboxStates: MailboxStates;
	/** Null where mailboxes cannot be read. */
	readonly mailing: Pick<MailTriggers, "describe"> | null;
	readonly trigger: TriggerRun;
	readonly watch: WatchRun;
	readonly accepted: AcceptedRuns;
	readonly events: Events;
	readonly held: HeldRuns;
	readonly keptData: KeptRunData;
	readonly replays: Replays;
	readonly questions: Questions;
	readonly keepDefaults: KeepDefaults;
	readonly turns: Turns;
}
