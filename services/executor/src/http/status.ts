import {
	type DeploymentFacts,
	LOW_DISK_BYTES,
	MIN_DISK_BYTES,
	type Notice,
	ServiceStatus,
} from "@tripline/contract/status";
import { unixSeconds } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import type { Caller } from "../domain/callers.ts";
import type { SavedWorkflow } from "../domain/saved-workflow.ts";
import type { ExecutorParts } from "./deps.ts";

const DAY_SECONDS = 86_400;
/** Runs that are counted, and triggers whose state is read. */
const MAX_COUNTED = 1000;
const MAX_TRIGGERS = 100;
const MAX_ERROR_LENGTH = 300;

/** What the platform tells of its deployment. */
export interface Deployment {
	readFacts(): Promise<DeploymentFacts>;
	/** The version that the next start runs, if it is another one than this. */
	findInstalled(): Promise<string | null>;
}

type StatusParts = ExecutorParts & {
	readonly version: string;
	/** Unix seconds. */
	readonly startedAt: number | undefined;
	readonly deployment: Deployment | undefined;
};

export const statusRoutes = (parts: StatusParts): Route<Caller>[] => [
	route({
		method: "GET",
		path: "/status",
		tag: "Operations",
		summary: "What the service does, and what needs the operator",
		description:
			"Runs and triggers are the tenant's. The state of the deployment is for the operator: in multi-tenant mode a partner key does not see it.",
		responses: { 200: { description: "The status", body: ServiceStatus } },
		async handle({ caller, request }) {
			const isOperator = !parts.settings.multiTenant || parts.tenants.isInternal(request);
			return reply(200, await readStatus(parts, caller.namespace, isOperator));
		},
	}),
];

async function readStatus(
	parts: StatusParts,
	namespace: string,
	isOperator: boolean,
): Promise<ServiceStatus> {
	const now = unixSeconds(parts.clock);
	const { store, accepted, deployment } = parts;
	const [unfinished, summary, workflows, facts, installed] = await Promise.all([
		accepted.listUnfinished(namespace, { limit: MAX_COUNTED }),
		store.executionLog.getSummary({ owner_id: namespace, since: now - DAY_SECONDS, until: now }),
		parts.stored.list(namespace),
		isOperator ? (deployment?.readFacts() ?? null) : null,
		isOperator ? (deployment?.findInstalled() ?? null) : null,
	]);
	const enabled = workflows.filter((workflow) => workflow.enabled);
	const times = enabled.flatMap(({ next_run_at }) => next_run_at ?? []).sort();
	const triggers = await readTriggers(parts, namespace, enabled);
	const count = (isCounted: (run: (typeof unfinished.executions)[number]) => boolean) => ({
		count: unfinished.executions.filter(isCounted).length,
		more: unfinished.next_cursor !== null,
	});
	return {
		version: parts.version,
		started_at: parts.startedAt === undefined ? null : new Date(parts.startedAt * 1000).toISOString(),
		runs: {
			waiting: count(({ status, until }) => status === "waiting" && until === undefined),
			running: count(({ status }) => status === "running"),
			parked: count(({ until }) => until !== undefined),
			succeeded: summary.hours.reduce((sum, { success }) => sum + success, 0),
			failed: summary.hours.reduce((sum, { failed }) => sum + failed, 0),
		},
		schedules: { count: times.length, next_run_at: times[0] ?? null },
		triggers,
		records: summary.mode,
		deployment: facts,
		attention: [
			...(facts === null ? [] : describeFacts(facts)),
			...(installed === null ? [] : [describeInstalled(installed, parts.version)]),
			...(isOperator && summary.mode !== "normal" ? [describeRecords(summary.mode, summary.limit)] : []),
			...triggers.failing.map(describeTrigger),
		],
	};
}

async function readTriggers(
	{ store, pollStates, mailboxStates }: ExecutorParts,
	namespace: string,
	workflows: readonly SavedWorkflow[],
): Promise<ServiceStatus["triggers"]> {
	const polls = workflows.filter(({ trigger }) => trigger?.type === "schedule" && trigger.poll !== undefined);
	const mailboxes = workflows.filter(
		({ trigger }) => trigger?.type === "event" && trigger.email !== undefined,
	);
	const failing = await Promise.all([
		...mailboxes.slice(0, MAX_TRIGGERS).map(async ({ name }) => {
			const entry = await store.entries.get(namespace, "workflow", name);
			const state = entry === null ? null : await mailboxStates.find(namespace, entry.id);
			return describeFailing(name, "mailbox", state?.error);
		}),
		...polls
			.slice(0, MAX_TRIGGERS)
			.map(async ({ name }) =>
				describeFailing(name, "poll", (await pollStates.find(namespace, name))?.error),
			),
	]);
	return { mailboxes: mailboxes.length, polls: polls.length, failing: failing.flat() };
}

const describeFailing = (
	workflow: string,
	kind: "mailbox" | "poll",
	error: string | null | undefined,
): ServiceStatus["triggers"]["failing"] =>
	error ? [{ workflow, kind, error: error.slice(0, MAX_ERROR_LENGTH) }] : [];

function describeFacts({ database, disk }: DeploymentFacts): Notice[] {
	const notices: Notice[] = [];
	if (!database.ok)
		notices.push({
			...{ code: "database", level: "problem", subject: null },
			message: "The database is damaged or unreliable: stop the service and run tripline doctor",
		});
	if (disk !== null && disk.free_bytes < LOW_DISK_BYTES)
		notices.push({
			code: "disk",
			level: disk.free_bytes < MIN_DISK_BYTES ? "problem" : "warning",
			subject: String(disk.free_bytes),
			message: `The disk is nearly full, ${Math.round(disk.free_bytes / 2 ** 20)} MiB are free: delete what is not needed, or enlarge it`,
		});
	return notices;
}

const describeInstalled = (installed: string, version: string): Notice => ({
	...{ code: "restart", level: "warning", subject: installed },
	message: `Version ${installed} is installed, but ${version} runs: restart the service`,
});

const describeRecords = (mode: ServiceStatus["records"], limit: number): Notice => ({
	...{ code: "records", level: mode === "stopped" ? "problem" : "warning", subject: null },
	message: `${mode === "stopped" ? "No run is" : "Only failed runs are"} recorded today, because of the daily limit of ${limit}: raise EXECUTION_LOG_DAILY_WRITE_LIMIT`,
});

const describeTrigger = ({
	workflow,
	kind,
	error,
}: ServiceStatus["triggers"]["failing"][number]): Notice => ({
	...{ code: "trigger", level: "warning", subject: workflow },
	message: `The ${kind} of ${workflow} fails: ${error}`,
});
