import type { ServiceStatus } from "@tripline/contract/status";
import { alignColumns } from "../columns.ts";
import type { Invocation, Outcome } from "../command.ts";
import { requireSetting } from "../config.ts";
import { formatTime } from "../format-time.ts";
import type { Io } from "../io.ts";
import { createExecutor } from "../services.ts";
import { applyStyle } from "../style.ts";
import { toOneLine } from "../table.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MIB = 2 ** 20;

export async function run({ io }: Invocation): Promise<Outcome> {
	const status = await createExecutor(io).status();
	const hasProblem = status.attention.some(({ level }) => level === "problem");
	return { code: hasProblem ? 1 : 0, json: status, text: render(status, io) };
}

function render(status: ServiceStatus, io: Io): string {
	const { runs, schedules, triggers, deployment, attention } = status;
	const rows = [
		["service", `${requireSetting(io, "base_url")}, version ${status.version}`],
		...(status.started_at === null
			? []
			: [
					[
						"up",
						`${formatDuration(io.now() - Date.parse(status.started_at))}, since ${formatTime(status.started_at)}`,
					],
				]),
		...(deployment === null ? [] : renderDeployment(deployment)),
		[
			"runs",
			`${renderCount(runs.running)} running, ${renderCount(runs.waiting)} waiting, ${renderCount(runs.parked)} parked`,
		],
		["last 24 hours", `${runs.succeeded} succeeded, ${runs.failed} failed${RECORDED[status.records]}`],
		[
			"schedules",
			`${schedules.count}${schedules.next_run_at === null ? "" : `, next at ${formatTime(schedules.next_run_at)}`}`,
		],
		["mailboxes", renderTriggers(triggers, "mailbox", triggers.mailboxes)],
		["polls", renderTriggers(triggers, "poll", triggers.polls)],
	];
	const notices = attention.map(
		({ level, message }) =>
			`${applyStyle(io, level === "problem" ? "red" : "yellow", level)}  ${toOneLine(message)}`,
	);
	return [alignColumns(rows), ...(notices.length === 0 ? [] : ["", ...notices])].join("\n");
}

const RECORDED = {
	normal: "",
	failures_only: "; only failures are recorded",
	stopped: "; nothing is recorded",
} as const;

function renderDeployment({
	platform,
	database,
	disk,
}: NonNullable<ServiceStatus["deployment"]>): string[][] {
	const size = database.size_bytes === null ? "" : `, ${formatBytes(database.size_bytes)}`;
	return [
		["platform", platform],
		["database", `${DATABASES[database.kind]}${size}${database.ok ? "" : ", damaged"}`],
		...(disk === null
			? []
			: [["disk", `${formatBytes(disk.free_bytes)} of ${formatBytes(disk.total_bytes)} free`]]),
	];
}

const DATABASES = { sqlite: "SQLite", postgres: "PostgreSQL", d1: "D1" } as const;

const renderCount = ({ count, more }: ServiceStatus["runs"]["parked"]): string =>
	`${count}${more ? "+" : ""}`;

function renderTriggers(
	{ failing }: ServiceStatus["triggers"],
	kind: "mailbox" | "poll",
	count: number,
): string {
	const failed = failing.filter((trigger) => trigger.kind === kind).length;
	return failed === 0 ? String(count) : `${count}, ${failed} failing`;
}

function formatBytes(bytes: number): string {
	return bytes >= 1024 * MIB ? `${(bytes / (1024 * MIB)).toFixed(1)} GiB` : `${(bytes / MIB).toFixed(1)} MiB`;
}

function formatDuration(ms: number): string {
	if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)} d ${Math.floor((ms % DAY_MS) / HOUR_MS)} h`;
	if (ms >= HOUR_MS) return `${Math.floor(ms / HOUR_MS)} h ${Math.floor((ms % HOUR_MS) / MINUTE_MS)} min`;
	return `${Math.max(0, Math.floor(ms / MINUTE_MS))} min`;
}
